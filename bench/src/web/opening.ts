import type { Browser } from '@playwright/test'
import { Void } from '../figures.ts'
import { openPhone, slowDown } from './phone.ts'

/** What is tapped on a page that has come to rest, and what must then be there. */
export type Opening = { from: string; link: string; ready: () => boolean }

const withinMs = 60_000

/** Seconds on the slow phone from the tap on a link until what it opens is usable. */
export const opening = async (
  browser: Browser,
  origin: string,
  userId: number,
  { from, link, ready }: Opening,
): Promise<number> => {
  const { page, cdp, close } = await openPhone(browser, origin, userId)
  try {
    await slowDown(cdp)
    await page.goto(from)
    const way = page.locator(`main a[href="${link}"]`).first()
    await way.waitFor({ timeout: withinMs })
    await page.waitForLoadState('networkidle', { timeout: withinMs })
    await page.evaluate(`{
      const ready = ${ready}
      const look = () => {
        if (ready()) globalThis.openedAt = performance.now()
        else requestAnimationFrame(look)
      }
      addEventListener('pointerdown', () => {
        globalThis.tappedAt = performance.now()
        look()
      }, { capture: true, once: true })
    }`)
    await way.tap()
    const tookMs = await page.waitForFunction(
      () => {
        const { tappedAt, openedAt } = globalThis as { tappedAt?: number; openedAt?: number }
        return tappedAt !== undefined && openedAt !== undefined && openedAt - tappedAt
      },
      undefined,
      { timeout: withinMs },
    )
    return ((await tookMs.jsonValue()) as number) / 1000
  } catch (fault) {
    throw new Void(`${link} was not usable within a minute: ${(fault as Error).message.split('\n')[0]}`)
  } finally {
    await close()
  }
}
