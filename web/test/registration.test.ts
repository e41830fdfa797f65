import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { expectAccessible } from './axe.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'

describe.skipIf(!hasBrowser).each([
  ['invited', /^New accounts are for guests of an event: open the link/],
  ['closed', /^No new accounts can be created here/],
] as const)('where registration is %s', { timeout: 60_000 }, async (who, said) => {
  const app = await openTestApp({}, { env: { REGISTRATION: who }, webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('nobody is offered an account, and it is said why', async () => {
    const { page, complaints } = await visit()
    await page.goto('/sign-in')
    await expect(page.getByText(said)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create account' })).toHaveCount(0)
    await page.goto('/register')
    await expect(page.getByText(said)).toBeVisible()
    await expect(page.getByLabel('First name')).toHaveCount(0)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
})
