import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { hostOf } from '../../../test/host.ts'
import { signInByBrowser, visit } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { evening } from '../../../test/party.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const device = { device_id: 'phone', user_timezone: 'UTC', user_device_platform: 'web' }
const closed = says('This service takes no new accounts.')
const needsInvitation = says('This service takes new accounts only from guests of an event.')
const foreign = invalid('user_email', 'The user email field must be an address at a domain that this service accepts.')
const password = { user_password: 'long enough', user_password_confirmation: 'long enough' }

let made = 0
const newcomer = (domain = 'example.com') => {
  made += 1
  return {
    user_first_name: 'New',
    user_last_name: 'Comer',
    user_username: `newcomer${made}`,
    user_email: `newcomer${made}@${domain}`,
    ...device,
  }
}
const own = (domain?: string) => ({ ...newcomer(domain), ...password, user_login_option_type: 1 })

/** A service with an existing host, and a link to an event. */
const open = async (env: Record<string, string>) => {
  const issuer = await openIssuer()
  const app = await openTestApp({}, { env: { ...issuer.env, ...env } })
  issuer.returnsTo(app.url)
  const host = await hostOf(app)
  const { api } = host
  const { id: event_id } = await api.events.saveEvent(evening())
  const { link_code: code } = await api.links.makeLink({ event_id })
  let people = 0
  const atProvider = async (domain = 'example.com') => {
    people += 1
    issuer.people.set(`subject ${people}`, { email: `person${people}@${domain}`, name: 'Renée Smith' })
    issuer.signedInAs(`subject ${people}`)
    return {
      user_login_option_type: 10,
      user_login_option_unique_identifier: `subject ${people}`,
      user_password: await issuer.idToken(`subject ${people}`),
    }
  }
  const come = async () => {
    const joined = await app.as().links.joinByLink({ code, user_first_name: 'Anna' }, { idempotencyKey: randomUUID() })
    return { ...joined.user, api: app.as(joined.token) }
  }
  const accounts = async () => (await app.db.selectFrom('users').select('id').execute()).length
  return { app, host, atProvider, come, accounts }
}

describe.each([
  ['closed', closed],
  ['invited', needsInvitation],
] as const)('REGISTRATION=%s', (who, refused) => {
  test('opens no account, by a password or by a provider, and tells nothing of those that are there', {
    tags: 'slow',
  }, async () => {
    const { app, host, atProvider, accounts } = await open({ REGISTRATION: who })
    expect(await app.as().providers.listProviders()).toMatchObject({ registration: who })
    const before = await accounts()
    expect(await refusal(app.as().accounts.register(own()))).toEqual(refused)
    expect(await refusal(app.as().accounts.register({ ...own(), user_email: host.email }))).toEqual(refused)
    const proof = await atProvider()
    expect(await refusal(app.as().accounts.register({ ...newcomer(), ...proof }))).toEqual(refused)
    expect(await refusal(signInByBrowser(app))).toEqual(refused)
    expect(await accounts()).toBe(before)
  })

  test('lets guests make no events and links, and without any event only read and leave', async () => {
    const { host, come } = await open({ REGISTRATION: who })
    const guest = await come()
    const events = (await guest.api.events.listEvents({ page: 1, page_length: 5 })).data
    const event_id = events[0]?.id ?? 0
    const guestAccount = says('Guests make no events and links here')
    expect(await refusal(guest.api.events.saveEvent(evening()))).toEqual(guestAccount)
    await host.api.events.makeOrganizer({ event_id, user_id: guest.id })
    expect(await refusal(guest.api.links.makeLink({ event_id }))).toEqual(guestAccount)
    const again = { event_id, event_starts_at: evening().event_starts_at }
    expect(await refusal(guest.api.events.copyEvent(again))).toEqual(guestAccount)
    await guest.api.people.befriend({ user_id: host.id })
    await guest.api.events.leaveEvent({ event_id })

    const nowhere = says('A guest who is in no event can read and leave, and do nothing else.')
    for (const act of [
      () => guest.api.people.befriend({ user_id: host.id }),
      () => guest.api.people.report({ report_type: 'user', report_id: host.id, report_reason: 'Rude' }),
      () => guest.api.accounts.updateSettings({ user_setting_mute_notification: true }),
    ])
      expect(await refusal(act())).toEqual(nowhere)
    expect((await guest.api.accounts.readAccount()).user_status).toBe(5)
    expect((await guest.api.people.searchUsers({ name: 'a', page: 1, page_length: 5 })).data).toBeDefined()
    const { link_code: code } = await host.api.links.makeLink({ event_id })
    await guest.api.links.joinByLink({ code })
    expect(await guest.api.accounts.updateSettings({ user_setting_mute_notification: true })).toBeDefined()
    expect(await guest.api.accounts.logout()).toEqual({ done: true })
  })

  test('lets in who has an account, and guests by an organizer’s link', async () => {
    const { app, host, come } = await open({ REGISTRATION: who })
    const signIn = { user_login_option_type: 1, user_login_id: host.email, user_password: host.password, ...device }
    expect((await app.as().accounts.authenticate(signIn)).user.id).toBe(host.id)
    expect((await come()).user_status).toBe(5)
  })
})

test('whom an organizer invited keeps the account where registration is by invitation, and not where it is closed', async () => {
  const invited = await open({ REGISTRATION: 'invited' })
  const claim = (email: string) => ({ user_email: email, ...password })
  expect((await (await invited.come()).api.accounts.claimAccount(claim('anna@example.com'))).user_status).toBe(2)
  const guest = await invited.come()
  await invited.atProvider()
  const { provider_code, provider_verifier } = await visit(invited.app)
  expect((await guest.api.accounts.claimAccount({ provider_code, provider_verifier })).id).toBe(guest.id)

  const shut = await open({ REGISTRATION: 'closed' })
  const stays = await shut.come()
  expect(await refusal(stays.api.accounts.claimAccount(claim('berta@example.com')))).toEqual(closed)
  expect((await stays.api.accounts.readAccount()).user_status).toBe(5)
})

test('with REGISTRATION_DOMAINS an account begins and stays at one of them, whichever way it comes', async () => {
  const { app, host, atProvider, come } = await open({ REGISTRATION_DOMAINS: 'Club.example, team.club.example' })
  expect((await app.as().providers.listProviders()).registration_mail_domains).toEqual([
    'club.example',
    'team.club.example',
  ])
  const { user, token } = await app.as().accounts.register(own('CLUB.example'))
  for (const domain of ['example.com', 'evil-club.example', 'x.club.example', 'club.example.com'])
    expect(await refusal(app.as().accounts.register(own(domain)))).toEqual(foreign)

  const proof = await atProvider('example.com')
  expect(await refusal(app.as().accounts.register({ ...newcomer('example.com'), ...proof }))).toEqual(foreign)
  expect(await refusal(signInByBrowser(app))).toEqual(foreign)
  await atProvider('team.club.example')
  expect((await signInByBrowser(app)).user.user_status).toBe(2)

  const guest = await come()
  const claim = (email: string) => guest.api.accounts.claimAccount({ user_email: email, ...password })
  expect(await refusal(claim('anna@example.com'))).toEqual(foreign)
  await claim('anna@club.example')

  const profile = (of: { user_username: string }, user_email: string) => ({
    user_first_name: 'A',
    user_last_name: 'B',
    user_username: of.user_username,
    user_email,
  })
  expect(await refusal(app.as(token).accounts.updateAccount(profile(user, 'b@example.com')))).toEqual(foreign)
  // An existing user keeps their address.
  const kept = await host.api.accounts.updateAccount(profile({ user_username: host.username }, host.email))
  expect(kept.user_email).toBe(host.email)
})
