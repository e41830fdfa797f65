import type { Browser, Page } from '@playwright/test'
import { Void } from '../figures.ts'
import { slopeOf } from '../statistics.ts'
import { heapOf, openPhone } from './phone.ts'

export type Remembered = {
  /** MiB of heap at the end, as a multiple of what it was after the first minute. */
  held: number
  /** MiB a minute, over the second half. */
  slope: number
}

/** A page that is never loaded again while somebody goes around in it: chat, album, photos, guests, news, and again. */
export const useForMinutes = async (
  browser: Browser,
  origin: string,
  { userId, event, minutes }: { userId: number; event: number; minutes: number },
): Promise<Remembered> => {
  const { page, cdp, close } = await openPhone(browser, origin, userId)
  const heaps: number[] = []
  try {
    await page.goto(`/events/${event}`)
    const began = performance.now()
    for (let minute = 1; minute <= minutes; minute++) {
      let rounds = 0
      do await goAround(page, event, rounds++)
      while (performance.now() - began < minute * 60_000)
      heaps.push(await heapOf(cdp))
      const nodes = await page.evaluate(() => document.getElementsByTagName('*').length)
      console.error(`  minute ${minute}: ${heaps.at(-1)?.toFixed(1)} MiB, ${nodes} elements, ${rounds} rounds`)
    }
    return { held: (heaps.at(-1) as number) / (heaps[0] as number), slope: slopeOf(heaps.slice(-minutes / 2)) }
  } catch (fault) {
    throw new Void(`the page could not be used: ${(fault as Error).message.split('\n')[0]}`)
  } finally {
    await close()
  }
}

const goAround = async (page: Page, event: number, round: number) => {
  const link = (path: string) => page.locator(`a[href="${path}"]:visible`).first()
  const heading = page.getByRole('heading', { level: 1 })
  await link(`/events/${event}/chat`).tap()
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill(`Round ${round}: who brings the cake?`)
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await page.getByText(`Round ${round}: who brings`).first().waitFor()
  await scroll(page, '[role=log]', -6000)
  await page.goBack()
  await link(`/events/${event}/photos`).tap()
  const tile = page.locator('a[data-photo]').nth(9)
  await tile.waitFor()
  await tile.tap()
  await page.getByRole('dialog').waitFor()
  for (let next = 0; next < 5; next++) {
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(200)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await scroll(page, null, 6000)
  await page.goBack()
  await link(`/events/${event}/guests`).tap()
  await heading.waitFor()
  await page.goBack()
  await link('/notifications').tap()
  await heading.waitFor()
  await link('/chats').tap()
  await heading.waitFor()
  await page.goBack()
  await page.goBack()
  await link(`/events/${event}/chat`).waitFor()
}

const scroll = async (page: Page, box: string | null, by: number) => {
  for (let step = 0; step < 10; step++) {
    await page.evaluate(
      ({ box, by }) => (box ? document.querySelector(box) : document.scrollingElement)?.scrollBy(0, by),
      { box, by: by / 10 },
    )
    await page.waitForTimeout(50)
  }
}
