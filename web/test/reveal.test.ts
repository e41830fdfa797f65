import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('photos that are shown at a time', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('are set in the event’s form, announced to guests, and appear before their eyes', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
    const { page, complaints } = await visit({ size: 'phone' })
    await signIn(page, olivia)
    await page.goto(`/events/${event_id}/edit`)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('When do guests see photos?').selectOption('At a set time')
    await page.getByLabel('Shown from').fill('2031-01-05T10:00')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText(/^Photos are shown on .*2031.*10:00/)).toBeVisible()

    for (const [seed, by] of [gus, ana].entries()) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 120, height: 80, seed: seed + 1 }))])
      await by.api.gallery.uploadPhoto({ event_id, image })
    }
    const guest = await visit({ size: 'phone' })
    await signIn(guest.page, gus)
    await guest.page.goto(`/events/${event_id}/photos`)
    await expect(guest.page.locator('[data-photo]')).toHaveCount(1)
    await expect(guest.page.getByText(/^Photos are shown on/)).toBeVisible()
    await expect(guest.page.getByText('Only you can see it for now')).toBeAttached()
    await expectAccessible(guest.page)

    await page.goto(`/events/${event_id}/edit#settings`)
    await page.getByLabel('Shown from').fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 16))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Everyone can see the photos now', { exact: true })).toBeVisible()
    await expect(guest.page.locator('[data-photo]')).toHaveCount(2)
    await expect(guest.page.getByText(/^Photos are shown on/)).toHaveCount(0)
    expect([...complaints, ...guest.complaints]).toEqual([])
  })
})
