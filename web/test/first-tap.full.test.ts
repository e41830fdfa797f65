import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

/* The time to the first content and to the first working tap, on a slow phone and a venue's network. */

const tries = 3
const slow = { downloadThroughput: 200_000, uploadThroughput: 94_000, latency: 150, offline: false }
const slowerBy = 4

needing(browser).describe('a slow phone at 1.6 Mbit/s', { timeout: 300_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url), { serviceWorkers: 'allow' })
  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const { link_code } = await olivia.api.links.makeLink({ event_id: id })
  await bringIn(olivia, id, gus)
  for (let number = 1; number <= 50; number++)
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: `Lantern ${number} of many` })
  for (let seed = 1; seed <= 24; seed++) {
    const image = new Blob([new Uint8Array(await jpeg({ width: 1600, height: 1200, seed }))])
    await olivia.api.gallery.uploadPhoto({ event_id: id, image })
  }

  /** Seconds until an element is there and reacts to a tap: the best of some first visits. */
  const usable = async (path: string, isThere: () => unknown, guest = false) => {
    const seconds: number[] = []
    for (let at = 0; at < tries; at++) {
      const { page, context } = await visit({ size: 'phone' })
      if (guest) await signIn(page, gus)
      const cdp = await context.newCDPSession(page)
      await cdp.send('Network.emulateNetworkConditions', slow)
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowerBy })
      seconds.push(await untilUsable(page, path, isThere))
      await context.close()
    }
    console.info(`${path}: usable after ${seconds.map(each => each.toFixed(1)).join(', ')} s`)
    return Math.min(...seconds)
  }

  test('uses the invitation page within three seconds', async () => {
    const there = () => document.querySelector<HTMLButtonElement>('main .sticky button')
    expect(await usable(`/j/${link_code}`, there)).toBeLessThanOrEqual(3)
  })

  test('reads the chat and types within four seconds', async () => {
    const there = () => document.querySelector('[role=log] article') && document.querySelector('textarea')
    expect(await usable(`/events/${id}/chat`, there, true)).toBeLessThanOrEqual(4)
  })

  test('sees the album’s photos within four seconds', async () => {
    const there = () =>
      [...document.querySelectorAll<HTMLImageElement>('[data-photo] img')].some(({ naturalWidth }) => naturalWidth > 0)
    expect(await usable(`/events/${id}/photos`, there, true)).toBeLessThanOrEqual(4)
  })
})

/** From the request for the page until the condition holds and the page answers between two frames. */
const untilUsable = async (page: Page, path: string, isThere: () => unknown) => {
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(isThere, undefined, { polling: 'raf', timeout: 60_000 })
  return page.evaluate(
    () =>
      new Promise<number>(resolve => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() / 1000)))),
  )
}
