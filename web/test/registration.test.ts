import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { hostOf } from '../../server/test/host.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs } from './steps.ts'

needing(browser).describe.each([
  ['invited', /^Only invited guests can create an account here/],
  ['closed', /^This server isn’t accepting new accounts/],
] as const)('where registration is %s', async (who, said) => {
  const app = await openTestApp({}, { env: { REGISTRATION: who }, webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('nobody is offered an account, and the reason is shown', async () => {
    const { page, complaints } = await visit()
    await page.goto('/sign-in')
    await expect(page.getByText(said)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create account' })).toHaveCount(0)
    await page.goto('/register')
    await expect(page.getByText(said)).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveCount(0)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('a guest is not offered to create an event', async () => {
    const olivia = await hostOf(app)
    const { id } = await olivia.api.events.saveEvent(evening())
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    const { page, complaints } = await visit()
    await page.goto(`/j/${link_code}`)
    await joinAs(page, 'Fabio')
    await expect(page).toHaveURL(/\/events\/\d+/)
    await page.goto('/events')
    await expect(page.getByText('Midsummer at the lake').first()).toBeVisible()
    await expect(page.locator('a[href="/events/new"]')).toHaveCount(0)
    expect(complaints).toEqual([])
  })
})
