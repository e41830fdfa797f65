import type { Page } from '@playwright/test'
import { beforeEach, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { codeIn, openMailServer } from '../../server/test/mail/mail-server.ts'
import { needing } from '../../server/test/needing.ts'
import { openIssuer } from '../../server/test/openid/issuer.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, messageOf, password, register, signIn, toPlace, write } from './steps.ts'

needing(browser).describe('signing in', async () => {
  const mails = await openMailServer()
  const issuer = await openIssuer()
  const app = await openTestApp({}, { env: { ...mails.env, ...issuer.env }, webClient: await readyClient() })
  issuer.returnsTo(app.url)
  const { visit } = openBrowser(app.url)
  beforeEach(() => issuer.is('well'))

  const somebody = (subject: string, of: Record<string, unknown> = {}) => {
    issuer.people.set(subject, { email: `${subject}@club.example`, given_name: 'Clara', family_name: 'Club', ...of })
    issuer.signedInAs(subject)
  }
  const goOn = (page: Page) => page.getByRole('button', { name: 'Continue with The club' }).click()
  const inside = (page: Page) => expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
  /** A guest who joined by a link, in a browser of their own. */
  const come = async (name: string) => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    const visitor = await visit()
    await visitor.page.goto(`/j/${link_code}`)
    await joinAs(visitor.page, name)
    await visitor.page.getByRole('link', { name: 'Chat', exact: true }).click()
    await write(visitor.page, `${name} was here`)
    await expect(messageOf(visitor.page, `${name} was here`)).toBeVisible()
    return { ...visitor, eventId: id }
  }

  test('by a provider creates an account, asks for missing data, and recognizes it the next time', {
    tags: 'slow',
  }, async () => {
    somebody('clara', { family_name: undefined })
    const first = await visit()
    await first.page.goto('/sign-in')
    await goOn(first.page)
    await expect(first.page.getByRole('heading', { name: 'One last thing' })).toBeVisible()
    expect(first.page.url()).toBe(`${app.url}/sign-in/provider`)
    await expectAccessible(first.page)
    await first.page.getByLabel('Last name').fill('Club')
    await first.page.getByRole('button', { name: 'Create account' }).click()
    await inside(first.page)

    const second = await visit({ size: 'desktop' })
    await second.page.goto('/settings/devices')
    await goOn(second.page)
    // She arrives at her original destination, now on two devices.
    await expect(second.page.getByRole('heading', { name: 'Devices' })).toBeVisible()
    await expect(second.page.getByRole('listitem').getByText(/^Browser$|This device/)).toHaveCount(2)
    for (const { complaints } of [first, second]) expect(complaints).toEqual([])
  })

  test('by a provider that is declined, or unavailable, returns to the sign-in page with a reason', {
    tags: 'slow',
  }, async () => {
    const { page, complaints } = await visit()
    issuer.signedInAs(undefined)
    await page.goto('/sign-in')
    await goOn(page)
    await expect(page.getByText('The sign-in was cancelled.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/sign-in/provider#provider_code=made-up')
    await expect(page.getByRole('alert')).not.toBeEmpty()
    expect(complaints).toEqual([])
  })

  test('on a forgotten device can be ended from another', { tags: 'slow' }, async () => {
    const rita = await enter(app, 'rita')
    const left = await visit({ size: 'desktop' })
    await left.page.goto('/sign-in')
    await left.page.getByLabel('E-mail or username').fill(rita.email)
    await left.page.getByLabel('Password').fill(rita.password)
    await left.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await inside(left.page)

    const { page, complaints } = await visit()
    await signIn(page, rita)
    await page.goto('/settings/devices')
    await expect(page.getByText('This device')).toBeVisible()
    await page.getByRole('listitem').filter({ hasText: 'Browser' }).getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('Signed out of that device', { exact: true })).toBeVisible()
    // The channel tells the other device at once.
    await expect(left.page.getByText('Your session has ended.')).toBeVisible()
    for (const each of [complaints, left.complaints]) expect(each).toEqual([])
  })

  test('with a forgotten password works by the code in the mail', async () => {
    const gus = await enter(app, 'gus')
    const { page, complaints } = await visit()
    await page.goto('/sign-in?next=/friends')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page.getByRole('heading', { name: 'Forgot your password' })).toBeVisible()
    await page.getByLabel('E-mail').fill(gus.email)
    await page.getByRole('button', { name: 'E-mail me a code' }).click()
    await expect(page.getByText('Check your inbox')).toBeVisible()
    await expectAccessible(page)
    const code = codeIn(await mails.mailTo(gus.email, 2))
    await page.getByRole('link', { name: 'I have a code' }).click()
    await page.getByLabel('Code from the e-mail').fill(code)
    await page.getByLabel('New password').fill('a brand new one')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('E-mail or username').fill(gus.username)
    await page.getByLabel('Password').fill('a brand new one')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(`${app.url}/friends`)
    expect(complaints).toEqual([])
  })

  test('confirms an address by the link in the mail, and an expired one says so', { tags: 'slow' }, async () => {
    const { page, complaints } = await visit({ size: 'desktop' })
    await register(page, 'Vera', 'Varga')
    const code = codeIn(await mails.mailTo('vera@example.com'))
    await page.goto('/verify-email#code=0000-0000-0000-0000')
    await expect(page.getByRole('alert')).toContainText('This code is wrong or expired. Check it, or get a new one.')
    await expectAccessible(page)
    // On a device without a session, the code waits behind the sign-in page, and in no address.
    const elsewhere = await visit()
    await elsewhere.page.goto(`/verify-email#code=${code}`)
    await elsewhere.page.getByLabel('E-mail or username').fill('vera@example.com')
    expect(elsewhere.page.url()).toBe(`${app.url}/sign-in?next=%2Fverify-email`)
    await elsewhere.page.getByLabel('Password').fill(password)
    await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(elsewhere.page.getByText('Your e-mail is confirmed', { exact: true })).toBeVisible()
    await page.goto('/settings')
    await expect(page.getByText('Confirm your e-mail so you can')).toHaveCount(0)
    for (const each of [complaints, elsewhere.complaints]) expect(each).toEqual([])
  })

  test('lets a guest save the account with a password', async () => {
    const { page, complaints, eventId } = await come('Ana')
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByLabel('First name').fill('Anna')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.goto('/settings')
    await page.getByRole('link', { name: 'You’re here as a guest' }).click()
    await expect(page.getByRole('button', { name: 'Continue with The club' })).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('E-mail').fill('ana.guest@example.com')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Save account' }).click()
    await expect(page.getByText('Your account is saved', { exact: true })).toBeVisible()
    await page.goto(`/events/${eventId}/chat`)
    await expect(messageOf(page, 'Ana was here')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('offers a guest to save the account once a photo is added: not above it, nor where that is possible anyway', {
    tags: 'slow',
  }, async () => {
    const { page, complaints } = await come('Anna')
    await page.getByRole('link', { name: 'Back' }).click()
    await page
      .getByRole('link', { name: /^Album|^Photos/ })
      .first()
      .click()
    const buffer = Buffer.from(await jpeg({ seed: 77 }))
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer }])
    const offer = page.getByText('Your photos are in. Save your account?')
    await expect(offer).toBeVisible()
    await page.locator('[data-photo]').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goBack()
    await toPlace(page, 'You')
    await expect(page.getByRole('link', { name: 'You’re here as a guest' })).toBeVisible()
    await expect(offer).toHaveCount(0)
    await toPlace(page, 'Events')
    await page
      .getByRole('main')
      .getByRole('link', { name: /Midsummer/ })
      .click()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await expect(offer).toBeVisible()
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(offer).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('lets a guest save the account by a provider, with their messages, and sign in by it elsewhere', {
    tags: 'slow',
  }, async () => {
    const { page, complaints, eventId } = await come('Berta')
    somebody('berta', { email: undefined })
    await page.goto('/settings/claim')
    await goOn(page)
    // The provider did not share an address.
    await expect(page.getByRole('heading', { name: 'One last thing' })).toBeVisible()
    await page.getByLabel('E-mail').fill('berta@example.com')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save account' }).click()
    await expect(page.getByText('Your account is saved', { exact: true })).toBeVisible()

    const elsewhere = await visit({ size: 'desktop' })
    await elsewhere.page.goto(`/events/${eventId}/chat`)
    await goOn(elsewhere.page)
    await expect(messageOf(elsewhere.page, 'Berta was here')).toBeVisible()
    for (const each of [complaints, elsewhere.complaints]) expect(each).toEqual([])
  })

  test('refuses a guest a provider’s account that belongs to another user', { tags: 'slow' }, async () => {
    somebody('dora')
    const dora = await visit()
    await dora.page.goto('/sign-in')
    await goOn(dora.page)
    await inside(dora.page)
    const { page, complaints } = await come('Emil')
    await page.goto('/settings/claim')
    await goOn(page)
    await expect(page.getByText('already belongs to another account here')).toBeVisible()
    await page.goto('/settings')
    await expect(page.getByText('You’re here as a guest')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('by a provider can be connected and removed again, unless it is the last way', { tags: 'slow' }, async () => {
    const asha = await enter(app, 'asha')
    const { page, complaints } = await visit()
    await signIn(page, asha)
    await page.goto('/settings/account')
    await expect(page.getByText('Add another way to sign in before you remove this one')).toBeVisible()
    somebody('asha')
    await page.getByRole('button', { name: 'Connect The club' }).click()
    await expect(page.getByText('The club is connected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Remove Password' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Password was removed', { exact: true })).toBeVisible()
    await expect(page.getByText('Add another way to sign in before you remove this one')).toBeVisible()
    expect((await asha.api.accounts.readAccount()).user_login_options).toMatchObject([{ user_login_option_type: 10 }])
    await page.goto('/settings/password')
    await expect(page.getByText('You don’t have a password yet')).toBeVisible()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
})
