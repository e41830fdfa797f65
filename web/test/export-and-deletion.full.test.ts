import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { openIssuer } from '../../server/test/openid/issuer.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { createEvent, signIn } from './steps.ts'

needing(browser).describe('a user’s own data', async () => {
  const issuer = await openIssuer()
  const app = await openTestApp({}, { env: issuer.env, webClient: await readyClient() })
  issuer.returnsTo(app.url)
  const { visit } = openBrowser(app.url)

  test('is requested, packed and downloaded', async () => {
    const gus = await enter(app, 'gus')
    const { page, complaints } = await visit()
    await signIn(page, gus)
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Sign-in and data' }).click()
    await page.getByRole('button', { name: 'Request my data' }).click()
    const download = page.getByRole('link', { name: /^Download/ })
    await expect(download).toBeVisible()
    await expectAccessible(page)
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect(await file.failure()).toBeNull()
    expect(page.url()).toBe(`${app.url}/settings/account`)

    // The notification opens the same page on another device as well.
    const other = await visit({ size: 'desktop' })
    await signIn(other.page, gus)
    await other.page.goto('/notifications')
    await other.page.getByRole('link', { name: /Your data is ready/ }).click()
    await expect(other.page.getByRole('link', { name: /^Download/ })).toBeVisible()
    for (const each of [complaints, other.complaints]) expect(each).toEqual([])
  })

  test('is delivered to an old session only after the password', async () => {
    const rita = await enter(app, 'rita')
    const { page, complaints } = await visit()
    await signIn(page, rita)
    const longAgo = () =>
      app.db
        .updateTable('devices')
        .set({ created_at: new Date(Date.now() - 3_600_000), proven_at: null })
        .where('user_id', '=', rita.id)
        .execute()
    await longAgo()
    await page.goto('/settings/account')
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    const confirm = async (password: string) => {
      await dialog.getByLabel('Current password').fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
    }
    await page.getByRole('button', { name: 'Request my data' }).click()
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    await confirm('not this one')
    await expect(dialog.getByText('That isn’t your current password.')).toBeVisible()
    await confirm(rita.password)
    await expect(page.getByRole('link', { name: /^Download/ })).toBeVisible()

    await longAgo()
    await page.reload()
    await page.getByRole('button', { name: /^Download/ }).click()
    await confirm(rita.password)
    await expect(page.getByRole('link', { name: /^Download/ })).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('is deleted with the account, and restored when its owner signs in within fourteen days', async () => {
    const olivia = await enter(app, 'olivia')
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await expectAccessible(page)
    await dialog.getByLabel('Current password').fill('not this one')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await expect(dialog.getByText('That isn’t your current password.')).toBeVisible()
    await dialog.getByLabel('Current password').fill(olivia.password)
    await dialog.getByRole('button', { name: 'Delete account' }).click()

    await expect(page.getByRole('heading', { name: 'Your account is being deleted' })).toBeVisible()
    await expect(page.getByText(/^Sign in by .+ to keep it/)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('E-mail or username').fill(olivia.email)
    await page.getByLabel('Password').fill(olivia.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Good to have you back. Your account stays.', { exact: true })).toBeVisible()
    const { status, erase_at } = await app.db
      .selectFrom('users')
      .select(['status', 'erase_at'])
      .where('id', '=', olivia.id)
      .executeTakeFirstOrThrow()
    expect([status, erase_at]).toEqual([2, null])
    expect(complaints).toEqual([])
  })

  test('needs a fresh sign-in by the provider without a password', async () => {
    issuer.people.set('clara', { email: 'clara@club.example', given_name: 'Clara', family_name: 'Club' })
    issuer.signedInAs('clara')
    const { page, complaints } = await visit({ size: 'desktop' })
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with The club' }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
    await app.db
      .updateTable('devices')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .execute()
    await page.goto('/settings/account')
    const ask = async () => {
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    }
    await ask()
    await expect(page.getByText('Sign in again to confirm it’s you')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with The club' }).click()
    await expect(page.getByRole('heading', { name: 'Sign-in and data' })).toBeVisible()
    await ask()
    await expect(page.getByRole('heading', { name: 'Your account is being deleted' })).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('is not given to another user who returns from the provider to the same browser', async () => {
    for (const [subject, name] of [
      ['rita', 'Rita'],
      ['remy', 'Rémy'],
    ] as const)
      issuer.people.set(subject, { email: `${subject}@club.example`, given_name: name, family_name: 'Club' })
    issuer.signedInAs('rita')
    const { page, complaints } = await visit()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with The club' }).click()
    await createEvent(page, 'Rita alone')
    await app.db
      .updateTable('devices')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .execute()
    await page.goto('/settings/account')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    await page.context().clearCookies()
    issuer.signedInAs('remy')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with The club' }).click()
    await expect(page.getByRole('heading', { name: 'Sign-in and data' })).toBeVisible()
    await page.getByRole('link', { name: 'You', exact: true }).click()
    await expect(page.getByText('Rémy Club')).toBeVisible()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await expect(page.getByText('Nothing planned yet')).toBeVisible()
    await expect(page.getByText('Rita alone')).toHaveCount(0)
    expect(complaints).toEqual([])
  })
})
