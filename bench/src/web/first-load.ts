import type { Browser } from '@playwright/test'
import { Void } from '../figures.ts'
import { openPhone, slowDown } from './phone.ts'

/** What must be there for somebody to read and act, and how it is told, in the page. */
export const usable = {
  /** The last messages can be read and the field takes words. */
  chat: () => {
    const rows = document.querySelectorAll('article')
    const field = document.querySelector('textarea')
    return rows.length > 3 && field !== null && !field.disabled
  },
  /** The screen is full of photos that can be opened, each with its colours at least, and the first has arrived. */
  gallery: () => {
    const tiles = [...document.querySelectorAll<HTMLElement>('[data-block] a[data-photo]')]
    const seen = tiles.filter(tile => tile.getBoundingClientRect().top < innerHeight)
    const arrived = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0
    const pictures = (tile: HTMLElement) => [...tile.querySelectorAll('img')].filter(arrived)
    const first = seen.flatMap(pictures).some(({ src }) => !src.startsWith('data:'))
    return seen.length > 3 && first && seen.every(tile => pictures(tile).length > 0)
  },
}

const withinMs = 60_000

/** Seconds from asking for the address until the page is usable, and its JavaScript by then in KB as it travelled. */
export const firstLoad = async (
  browser: Browser,
  { origin, path, userId, ready }: { origin: string; path: string; userId: number; ready: () => boolean },
): Promise<number> => {
  const { page, cdp, close } = await openPhone(browser, origin, userId)
  try {
    await page.addInitScript(`{
      const ready = ${ready}
      const look = () => {
        if (document.body && ready()) globalThis.usableAt = performance.now()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }`)
    await slowDown(cdp)
    await page.goto(path, { waitUntil: 'commit' })
    const usableAt = await page.waitForFunction(() => (globalThis as { usableAt?: number }).usableAt, undefined, {
      timeout: withinMs,
    })
    return ((await usableAt.jsonValue()) as number) / 1000
  } catch (fault) {
    throw new Void(`${path} was not usable within a minute: ${(fault as Error).message.split('\n')[0]}`)
  } finally {
    await close()
  }
}
