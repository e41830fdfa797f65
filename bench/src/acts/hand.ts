import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Locator, Page } from '@playwright/test'

/** Milliseconds that a control may take to be there. */
const patienceMs = 180_000

/** A person on a phone: what they tap is counted; letters typed, and what is chosen in the system's own gallery, are not. */
export type Hand = {
  page: Page
  cdp: CDPSession
  tap(target: Locator): Promise<void>
  /** Twice on the same place. */
  doubleTap(target: Locator): Promise<void>
  swipe(target: Locator, dx: number): Promise<void>
  write(field: Locator, words: string): Promise<void>
  choose(button: Locator, files: Picked[]): Promise<void>
  seen(target: Locator): Promise<void>
}
export type Picked = { name: string; mimeType: string; buffer: Buffer }
export type Counted = { taps: number; began: number | undefined }

export const handOn = (page: Page, cdp: CDPSession): { hand: Hand; counted: Counted } => {
  const counted: Counted = { taps: 0, began: undefined }
  page.setDefaultTimeout(patienceMs)
  const count = (taps: number) => {
    counted.taps += taps
    counted.began ??= performance.now()
  }
  const middleOf = async (target: Locator) => {
    await target.waitFor()
    const box = await target.boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  const hand: Hand = {
    page,
    cdp,
    async tap(target) {
      await target.waitFor()
      count(1)
      await target.tap()
    },
    async doubleTap(target) {
      const { x, y } = await middleOf(target)
      count(2)
      await page.touchscreen.tap(x, y)
      await page.touchscreen.tap(x, y)
    },
    async swipe(target, dx) {
      const from = await middleOf(target)
      count(1)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: from.y }] })
      await touch('touchStart', from.x)
      for (let step = 1; step <= 8; step++) await touch('touchMove', from.x + (dx * step) / 8)
      // A finger lifted at full speed begins a fling, during which Chromium answers the next tap with no click.
      await sleep(120)
      await touch('touchEnd')
    },
    async write(field, words) {
      await field.waitFor()
      if (!(await field.evaluate(each => each === document.activeElement))) {
        count(1)
        await field.tap()
      }
      await field.fill(words)
    },
    async choose(button, files) {
      await button.waitFor()
      const chooser = page.waitForEvent('filechooser')
      count(1)
      await button.tap()
      await (await chooser).setFiles(files)
    },
    seen: target => target.first().waitFor(),
  }
  return { hand, counted }
}
