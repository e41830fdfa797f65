import type { Page } from '@playwright/test'
import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

describe.skipIf(!hasBrowser)('the live wall', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  let seed = 0
  const add = async ({ api }: Member, event_id: number, event_photo_caption: string) => {
    const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed: ++seed }))])
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
})
