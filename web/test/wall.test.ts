import type { Page } from '@playwright/test'
import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { expectAccessible } from './axe.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

describe.skipIf(!hasBrowser)('the live wall', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  let seed = 0
  const add = async (
    { api }: Member,
    event_id: number,
    event_photo_caption: string,
    size = { width: 480, height: 320 },
  ) => {
    const image = new Blob([new Uint8Array(await jpeg({ ...size, seed: ++seed }))])
    await api.gallery.uploadPhoto({ event_id, image, event_photo_caption })
  }
  /** The photo that is on, not the one that fades. */
  const shown = (page: Page) => page.locator('div:not([aria-hidden=true]) > img[alt]:not([alt=""])')
  const code = (page: Page) => page.getByRole('figure').filter({ hasText: 'Scan to join' })

  test('goes on without a network, and takes what came meanwhile when it is back', { timeout: 120_000 }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    await add(olivia, id, 'Arriving')
    await add(olivia, id, 'The first dance')
    const { page, context, complaints } = await visit({ size: 'desktop' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    const on = (words: string) => shown(page).and(page.getByAltText(words))
    // Both have been on, so both are in the page's memory.
    await expect(on('The first dance')).toBeVisible({ timeout: 20_000 })
    await expect(on('Arriving')).toBeVisible({ timeout: 20_000 })

    await context.setOffline(true)
    await add(olivia, id, 'Fireworks')
    await expect(on('The first dance')).toBeVisible({ timeout: 20_000 })
    expect(await on('The first dance').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect(page.getByAltText('Fireworks')).toHaveCount(0)
    await context.setOffline(false)
    await expect(on('Fireworks')).toBeVisible({ timeout: 30_000 })
    await add(olivia, id, 'The last boat')
    await expect(on('The last boat')).toBeVisible({ timeout: 20_000 })
    expect(complaints.filter(words => !/ERR_|Failed to fetch|WebSocket/.test(words))).toEqual([])
  })

  test('shows organizers the newest open link, and a screen that came by a link that one as long as it is open', {
    timeout: 120_000,
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    await add(olivia, id, 'Arriving')
    const screens = await olivia.api.links.makeLink({ event_id: id })
    const newest = await olivia.api.links.makeLink({ event_id: id })
    const organizer = await visit({ size: 'desktop' })
    await signIn(organizer.page, olivia)
    await organizer.page.goto(`/events/${id}/wall`)
    await expect(code(organizer.page).locator('img')).toHaveAttribute('src', newest.link_qr_svg_url)

    const screen = await visit({ size: 'desktop' })
    await screen.page.goto(`/j/${screens.link_code}`)
    await screen.page.getByLabel('Your name').fill('Screen')
    await screen.page.getByRole('button', { name: 'Join' }).click()
    await expect(screen.page.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()
    await screen.page.goto(`/events/${id}/wall`)
    await expect(code(screen.page).locator('img')).toHaveAttribute('src', `/j/${screens.link_code}/qr.svg`)
    await olivia.api.links.revokeLink({ link_id: screens.id })
    await screen.page.reload()
    await expect(shown(screen.page)).toBeVisible()
    await expect(code(screen.page)).toHaveCount(0)
    for (const { complaints } of [organizer, screen]) expect(complaints).toEqual([])
  })

  test('is read from afar, invites before the first photo, tells who adds, and shows high ones side by side', {
    timeout: 120_000,
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Midsummer' }))
    await olivia.api.links.makeLink({ event_id: id })
    const { page, complaints } = await visit({ size: 'screen', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    await expect(page.getByText('The first photo will appear here')).toBeVisible()
    await expectAccessible(page)
    const high = { width: 400, height: 720 }
    await add(olivia, id, 'Cake', high)
    await expect(page.getByText('Olivia Ortega just added a photo')).toBeVisible()
    await add(olivia, id, 'Granny', high)
    await expect(page.getByText('Olivia Ortega just added 2 photos')).toBeVisible()
    await expect(shown(page)).toHaveCount(2, { timeout: 30_000 })
    for (const words of ['Cake', 'Granny']) {
      const text = page.getByText(words, { exact: true })
      expect(await text.evaluate(each => Number.parseFloat(getComputedStyle(each).fontSize))).toBeGreaterThanOrEqual(40)
    }
    const { width = 0 } = (await code(page).locator('img').boundingBox()) ?? {}
    expect(width).toBeGreaterThanOrEqual(320)

    // One that is hidden leaves the wall at once, also from the side.
    const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 2 })
    await olivia.api.gallery.hidePhoto({ event_photo_id: data[0]?.id ?? '' })
    await expect(shown(page)).toHaveCount(1)
    expect(complaints).toEqual([])
  })
})
