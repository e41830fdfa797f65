import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { createEvent, register, safe } from './steps.ts'

const pictures = async (...seeds: number[]) =>
  Promise.all(
    seeds.map(async seed => ({
      name: `evening-${seed}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await jpeg({ width: seed % 2 ? 1200 : 800, height: seed % 2 ? 800 : 1000, seed }),
    })),
  )
const add = async (page: Page, files: Awaited<ReturnType<typeof pictures>>) =>
  page.locator('input[type=file]:not([data-camera])').setInputFiles(files)
const photosOf = (page: Page) => page.locator('[data-photo]')

needing(browser).describe('an album of two people', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('supports adding, viewing, liking and commenting, live for both', async () => {
    const olivia = await visit({ size: 'phone' })
    const gus = await visit({ size: 'desktop' })
    await register(olivia.page, 'Olivia', 'Ortega')
    const id = await createEvent(olivia.page, 'Lanterns on the lake')
    await register(gus.page, 'Gus', 'Grant')
    await gus.page.goto(`/events/${id}`)
    await gus.page.getByRole('button', { name: 'Ask to join' }).click()
    await expect(gus.page.getByText('You asked to join')).toBeVisible()
    await olivia.page.goto(`/events/${id}/requests`)
    await olivia.page.getByRole('button', { name: 'Let in Gus Grant' }).click()
    await gus.page.getByRole('link', { name: 'Photos' }).click()
    await expect(gus.page.getByText('No photos yet')).toBeVisible()

    await olivia.page.goto(`/events/${id}/photos`)
    await add(olivia.page, await pictures(1, 2, 3))
    await expect(olivia.page.getByText(safe(3), { exact: true })).toBeVisible({ timeout: 60_000 })
    await expect(photosOf(olivia.page)).toHaveCount(3)
    await expect(photosOf(gus.page)).toHaveCount(3)

    await expectAccessible(olivia.page)

    // He opens the newest, likes it and comments; she sees both without a reload.
    await photosOf(gus.page).first().click()
    const photo = gus.page.getByRole('dialog')
    await expect(photo.getByRole('img', { name: 'Photo by Olivia Ortega' }).first()).toBeVisible()
    await photo.getByRole('button', { name: 'Like, 0 so far' }).click()
    await expect(photo.getByRole('button', { name: 'Like, 1 so far' })).toHaveAttribute('aria-pressed', 'true')
    await photo.getByRole('textbox', { name: 'Add a comment' }).fill('What a light!')
    await photo.getByRole('button', { name: 'Send' }).click()
    await photosOf(olivia.page).first().click()
    await olivia.page.getByRole('button', { name: 'Comments and details, 1 comment' }).click()
    await expect(olivia.page.getByRole('article', { name: 'Comment by Gus Grant' })).toContainText('What a light!')
    await expect(olivia.page.getByRole('button', { name: '1 like' })).toBeVisible()

    // She replies, he sees it; then the keyboard moves to the next photo.
    await olivia.page.getByRole('button', { name: 'Reply' }).click()
    await olivia.page.getByRole('textbox', { name: 'Add a comment' }).fill('Three minutes, then it was dark.')
    await olivia.page.getByRole('button', { name: 'Send' }).click()
    await expect(photo.getByText('Three minutes, then it was dark.')).toBeVisible()
    await expectAccessible(olivia.page)
    await expectAccessible(gus.page)
    const address = gus.page.url()
    await photo.focus()
    await gus.page.keyboard.press('ArrowRight')
    await expect(gus.page).not.toHaveURL(address)
    await gus.page.keyboard.press('Escape')
    await expect(photo).toBeHidden()

    // Adding the same file again is reported, and a deleted photo is gone for both until she restores it.
    await olivia.page.goto(`/events/${id}/photos`)
    await add(olivia.page, await pictures(2))
    await expect(olivia.page.getByText('1 was already in the album', { exact: true })).toBeVisible()
    await olivia.page.getByRole('button', { name: 'Show each file' }).click()
    await expect(olivia.page.getByText('Already in the album', { exact: true })).toBeVisible()
    await expectAccessible(olivia.page)
    await olivia.page.getByRole('region', { name: 'Uploading' }).getByRole('button', { name: 'Close' }).click()
    await olivia.page.getByRole('button', { name: 'Select' }).click()
    await olivia.page.getByRole('button', { name: 'Photo by Olivia Ortega' }).first().click()
    await expectAccessible(olivia.page)
    await olivia.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await olivia.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(photosOf(gus.page)).toHaveCount(2)
    await olivia.page.getByRole('button', { name: 'Deleted photos' }).click()
    await expect(olivia.page.getByRole('button', { name: 'Restore' })).toBeVisible()
    await expectAccessible(olivia.page)
    await olivia.page.getByRole('button', { name: 'Restore' }).click()
    await expect(photosOf(gus.page)).toHaveCount(3)

    // Opening in a new tab opens one, and the current page stays.
    const here = gus.page.url()
    const asking = later(gus.context.waitForEvent('page'))
    await photosOf(gus.page)
      .first()
      .click({ modifiers: ['ControlOrMeta'] })
    const tab = await asking
    await expect(tab.getByRole('dialog').getByRole('img', { name: 'Photo by Olivia Ortega' }).first()).toBeVisible()
    expect([gus.page.url(), tab.url().startsWith(`${here}/`)]).toEqual([here, true])
    await tab.close()

    for (const { complaints } of [olivia, gus]) expect(complaints).toEqual([])
  })

  test('keeps photos chosen offline over a reload, and the wall shows them at once', async () => {
    const { page, context, complaints } = await visit({ size: 'phone' })
    await register(page, 'Ana', 'Alves')
    const id = await createEvent(page, 'Midsummer')
    await page.goto(`/events/${id}/photos`)
    await expect(page.getByText('No photos yet')).toBeVisible()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await add(page, await pictures(4, 5))
    await expect(page.getByText('0 of 2 added. The rest waits for a connection.')).toBeVisible()
    // Until both are stored, the page asks to be kept open, and a reload loses the rest.
    await expect(page.getByText('You can close this page. The rest continues when you come back.')).toBeVisible()
    // Set before the network is back: two small photos are sent in no time.
    await page.route('**/api/gallery/**', route =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await context.setOffline(false)
    await page.reload()
    await expect(page.getByText(/^0 of 2 added/)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.getByText(safe(2), { exact: true })).toBeVisible({ timeout: 60_000 })

    const wall = await context.newPage()
    await wall.goto(`/events/${id}/wall`)
    await expect(wall.getByRole('img', { name: 'Photo by Ana Alves' }).first()).toBeVisible()
    await expectAccessible(wall)
    await page.getByRole('region', { name: 'Uploading' }).getByRole('button', { name: 'Close' }).click()
    await add(page, await pictures(6))
    await expect(page.getByText(safe(1), { exact: true })).toBeVisible({ timeout: 60_000 })
    await page.locator('[data-photo]').first().click()
    await page.getByRole('button', { name: /^Comments and details/ }).click()
    await page.getByRole('button', { name: 'Describe' }).click()
    await page.getByLabel('Caption').fill('The longest day')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('region', { name: 'About this photo' })).toContainText('The longest day')
    await expect(wall.getByText('The longest day')).toBeVisible({ timeout: 60_000 })
    expect(complaints).toEqual([])
  })
})
