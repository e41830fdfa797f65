import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { password, signIn } from './steps.ts'

/** What can be typed in or pressed below the page's header. */
const controls = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('main form :is(button, input, select, textarea)')].filter(
        each => each.checkVisibility() && (each as HTMLInputElement).type !== 'file',
      ).length,
  )

needing(browser).describe('a new host', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('has a link to send after four screens, twelve controls and five typed fields', async () => {
    const { page, context, complaints } = await visit({ size: 'phone', still: true })
    await context.grantPermissions(['clipboard-write'])
    await page.goto('/')
    await page.getByRole('link', { name: 'Create event' }).click()
    await page.getByLabel('Your name').fill('Olivia Ortega')
    await page.getByLabel('E-mail').fill('olivia@example.com')
    await page.getByLabel('Password').fill(password)
    const registering = await controls(page)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(/\/events\/new$/)
    const create = page.getByRole('button', { name: 'Create event' })
    await expect(create).toBeInViewport()
    await expect(create).toBeDisabled()
    await expectAccessible(page)
    const creating = await controls(page)
    expect(creating).toBeLessThanOrEqual(6)
    expect(registering + creating).toBeLessThanOrEqual(12)
    await page.getByLabel('Name', { exact: true }).fill('L')
    await expect(create).toBeEnabled()
    await create.click()
    const sheet = page.getByRole('dialog', { name: 'Invite' })
    await expect(sheet.getByRole('img', { name: 'QR code that leads to L' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByText('Copied', { exact: true })).toBeVisible()
    await expectAccessible(page)
    const [link] = await app.db.selectFrom('event_links').select(['role', 'uses_max']).execute()
    expect(link).toEqual({ role: 'guest', uses_max: null })
    expect(complaints).toEqual([])
  })

  test('whose namesake is here already has another username', async () => {
    const { page } = await visit({ still: true })
    await page.goto('/register')
    await page.getByLabel('Your name').fill('Olivia Ortega')
    await page.getByLabel('E-mail').fill('olivia.too@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
    const rows = await app.db
      .selectFrom('users')
      .select('username')
      .where('email', '=', 'olivia.too@example.com')
      .execute()
    expect(rows[0]?.username).toMatch(/^olivia\.ortega\d{4}$/)
  })

  test('with many guests finds one by the beginning of a name', async () => {
    const { page } = await visit({ still: true })
    const ana = await enter(app, 'ana')
    const { id } = await ana.api.events.saveEvent(evening())
    const { link_code: code } = await ana.api.links.makeLink({ event_id: id })
    for (let at = 0; at < 21; at++) {
      const device = { device_id: `phone ${at}`, user_timezone: 'UTC', user_device_platform: 'web' }
      await app.as().links.joinByLink({ code, user_first_name: at === 20 ? 'Zoë' : `Guest ${at}`, ...device })
    }
    await signIn(page, ana)
    await page.goto(`/events/${id}/guests`)
    await page.getByRole('searchbox', { name: 'Find a guest' }).fill('zo')
    await expect(page.getByText('Guest 3')).toHaveCount(0)
    await expect(page.getByText('Zoë').first()).toBeVisible()
    await page.getByRole('searchbox').fill('nobody')
    await expect(page.getByRole('status').filter({ hasText: 'No' }).first()).toBeVisible()
  })
})
