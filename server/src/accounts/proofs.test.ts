import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { openIssuer } from '../../test/openid/issuer.ts'
import { evening } from '../../test/party.ts'
import { refusal, says } from '../../test/refused.ts'

const issuer = await openIssuer()
const app = await openTestApp({}, { env: issuer.env })
const proveFirst = says('Please confirm that it is you: by your password, or by signing in again.')
const wrongPassword = says('The current password is incorrect.')
const device = { user_timezone: 'UTC', user_device_platform: 'web' }

/** The session continues, but its sign-in is a while ago. */
const longAgo = ({ id }: { id: number }, minutes = 11) =>
  sql`update devices set created_at = now() - make_interval(mins => ${minutes}),
    proven_at = proven_at - make_interval(mins => ${minutes}) where user_id = ${id}`.execute(app.db)
const profileOf = (of: { username: string }, user_email: string) => ({
  user_first_name: 'Gus',
  user_last_name: 'Grant',
  user_username: of.username,
  user_email,
})
const idToken = async (subject: string) => ({
  user_login_option_type: 10,
  user_login_option_unique_identifier: subject,
  user_password: await issuer.idToken(subject),
})
const withOther = async (gus: Member, device_id: string) =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: gus.email,
    user_password: gus.password,
    device_id,
    ...device,
  })

let made = 0
const acts: Record<string, (gus: Member) => Promise<unknown>> = {
  'an export': ({ api }) => api.privacy.exportAccount(),
  'another way to sign in': async ({ api }) => {
    made += 1
    return api.providers.linkLoginOption(await idToken(`linked ${made}`))
  },
  'one way to sign in less': ({ api }) => api.providers.unlinkLoginOption({ user_login_option_type: 10 }),
  'the end of another device': ({ api }) => api.accounts.removeDevice({ device_id: 'a laptop' }),
}

test.each(Object.entries(acts))('%s asks who holds the phone, and the password says so', async (name, act) => {
  const gus = await enter(app, 'gus')
  await withOther(gus, 'a laptop')
  if (name.includes('less')) await gus.api.providers.linkLoginOption(await idToken(`unlinked ${gus.id}`))
  await longAgo(gus)
  const before = await gus.api.accounts.readAccount()
  expect(await refusal(act(gus))).toEqual(proveFirst)
  expect(await gus.api.accounts.readAccount()).toEqual(before)
  expect(await refusal(gus.api.accounts.proveAccount({ user_password: 'not it at all' }))).toEqual(wrongPassword)
  expect(await refusal(act(gus))).toEqual(proveFirst)

  const { proven_until } = await gus.api.accounts.proveAccount({ user_password: gus.password })
  const minutes = (new Date(proven_until).getTime() - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(8)
  expect(minutes).toBeLessThan(12)
  await act(gus)
})

test('a profile with the address it has is saved from any session, as are the letters of its case', async () => {
  const gus = await enter(app, 'gus')
  await longAgo(gus)
  const { user_email } = await gus.api.accounts.updateAccount(profileOf(gus, gus.email.toUpperCase()))
  expect(user_email).toBe(gus.email.toUpperCase())
})

test('the proof of one session is none of another, and is over after ten minutes', async () => {
  const gus = await enter(app, 'gus')
  const other = await withOther(gus, 'a laptop')
  await longAgo(gus)
  await gus.api.accounts.proveAccount({ user_password: gus.password })
  expect(await refusal(app.as(other.token).privacy.exportAccount())).toEqual(proveFirst)
  await longAgo(gus)
  expect(await refusal(gus.api.privacy.exportAccount())).toEqual(proveFirst)
})

test('a person with a provider proves it by signing in again on the same device', async () => {
  const token = await issuer.idToken('only by the club', { email: 'club@example.com' })
  const newcomer = { user_first_name: 'Only', user_last_name: 'Club', user_username: 'only.club' }
  const proof = { user_login_option_type: 10, user_password: token, device_id: 'phone', ...device }
  const { user } = await app.as().accounts.register({
    ...newcomer,
    user_email: 'club@example.com',
    user_login_option_unique_identifier: 'only by the club',
    ...proof,
  })
  await longAgo(user)
  const again = await app.as().accounts.authenticate({ user_login_id: 'only by the club', ...proof })
  const api = app.as(again.token)
  await api.privacy.exportAccount()
  await longAgo(user)
  expect(await refusal(api.accounts.proveAccount({ user_password: 'none' }))).toEqual(wrongPassword)
  expect(await refusal(api.privacy.deleteAccount({}))).toEqual(proveFirst)
})

test('a guest, who has nothing to prove by, takes along and deletes what is theirs', async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const { user, token } = await app.as().links.joinByLink({ code, user_first_name: 'Anna' })
  await longAgo(user)
  const api = app.as(token)
  const { id: account_export_id } = await api.privacy.exportAccount()
  await expect.poll(async () => (await api.privacy.readExport({ account_export_id })).export_url).toMatch(/^http/)
  await api.privacy.deleteAccount({})
})

test('an export that was made is handed out to who has proven it, and shown to nobody else', async () => {
  const gus = await enter(app, 'gus')
  const { id: account_export_id } = await gus.api.privacy.exportAccount()
  await expect.poll(async () => (await gus.api.privacy.readExport({ account_export_id })).export_url).toMatch(/^http/)
  await longAgo(gus)
  const hidden = { export_state: 'ready', export_url: null }
  expect(await gus.api.privacy.readExport({ account_export_id })).toMatchObject(hidden)
  expect((await gus.api.privacy.listExports({ page: 1, page_length: 5 })).data).toMatchObject([hidden])
  await gus.api.accounts.proveAccount({ user_password: gus.password })
  expect((await gus.api.privacy.readExport({ account_export_id })).export_url).toMatch(/^http/)
})

test('a phone that was found guesses ten passwords a minute, whatever it says they are for', async () => {
  const strict = await openTestApp({ rateFactor: 1 })
  const gus = await enter(strict, 'gus')
  const next = { user_password: 'a brand new one', user_password_confirmation: 'a brand new one' }
  const guesses = [
    () => gus.api.accounts.proveAccount({ user_password: 'a guess' }),
    () => gus.api.accounts.updatePassword({ current_password: 'a guess', ...next }),
    () => gus.api.privacy.deleteAccount({ user_password: 'a guess' }),
  ]
  const answers = []
  for (let n = 0; n < 15; n++) answers.push((await refusal((guesses[n % 3] as () => Promise<unknown>)())).status)
  expect(answers.filter(status => status === 400)).toHaveLength(10)
  expect(answers.filter(status => status === 429)).toHaveLength(5)
})
