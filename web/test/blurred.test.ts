import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { apart, jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { movedOn, signIn } from './steps.ts'

const never = () => new Promise<never>(() => {})

needing(browser).describe('the placeholder of a photo that never arrives', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const pictures = await Promise.all([1, 2, 3].map(seed => jpeg({ width: 900, height: 600, seed })))
  for (const picture of pictures) await olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([picture]) })
  await olivia.api.chats.saveMessage({
    group_chat_id,
    message_content: 'At the lake',
    attachments: [new Blob([pictures[0] as Buffer<ArrayBuffer>])],
  })

  const open = async (path: string, { photos }: { photos: 'held' | 'cut' }) => {
    const visitor = await visit({ still: true })
    await visitor.page.route(/\/media\/\d+\//, route => (photos === 'held' ? never() : route.abort()))
    await signIn(visitor.page, olivia)
    await visitor.page.goto(path)
    return visitor
  }
  const tilesOf = (page: Page) => page.locator('[data-photo]')
  const boxesOf = async (page: Page) => Promise.all((await tilesOf(page).all()).map(tile => tile.boundingBox()))
  const drawn = (tile: Locator) =>
    tile.evaluate(element => (element.querySelector('img[src^="data:"]') as HTMLImageElement | null)?.naturalWidth ?? 0)
  /** Checks that a place shows a picture's colours and nothing else: it looks the same without the picture. */
  const showsColours = (place: Locator, picture: Buffer | undefined, within: number) =>
    expect(async () => {
      const show = (visibility: string) =>
        place.evaluate((element, visibility) => {
          for (const image of element.querySelectorAll('img'))
            if (/^http/.test(image.src)) image.style.visibility = visibility
        }, visibility)
      const seen = await place.screenshot()
      await show('hidden')
      const without = await place.screenshot()
      await show('')
      expect(seen.equals(without)).toBe(true)
      expect(await apart(seen, picture as Buffer)).toBeLessThan(within)
    }).toPass({ timeout: 60_000 })

  test.each(['held', 'cut'] as const)('shows its colours in the album, and nothing moves; %s', async photos => {
    const { page, complaints } = await open(`/events/${event_id}/photos`, { photos })
    await expect(tilesOf(page)).toHaveCount(3)
    const before = await boxesOf(page)
    for (const [at, tile] of (await tilesOf(page).all()).entries()) {
      await expect.poll(() => drawn(tile)).toBeGreaterThan(0)
      // The newest photo is first.
      await showsColours(tile, pictures[2 - at], 12)
      await expect(tile.getByRole('img', { name: 'Photo by Olivia Ortega' })).toBeAttached()
    }
    expect(await boxesOf(page)).toEqual(before)
    expect(await movedOn(page)).toBeLessThan(0.01)
    expect(complaints).toEqual([])
  })

  test.each(['held', 'cut'] as const)('shows its colours in a chat, and nothing moves; %s', async photos => {
    const { page, complaints } = await open(`/events/${event_id}/chat`, { photos })
    const place = page.getByRole('button', { name: 'Open photo 1' }).locator('..')
    await expect(place).toBeVisible()
    await expect.poll(() => drawn(place)).toBeGreaterThan(0)
    await showsColours(place, pictures[0], 20)
    expect(await movedOn(page)).toBeLessThan(0.01)
    expect(complaints).toEqual([])
  })
})
