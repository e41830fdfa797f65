import { hashSync } from '@node-rs/argon2'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findUnnormalizedAddresses, normalizeMailboxes } from '../src/accounts/mail/mailboxes.ts'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { bringIn, evening, party } from './party.ts'

/* One word has one spelling: every comparison recognizes it however it is typed. */

const app = await openTestApp()
const { olivia, gus, event, chatId } = await party(app)

const composed = (text: string) => text.normalize('NFC')
const apart = (text: string) => text.normalize('NFD')

let people = 0
const newcomer = (more: Record<string, unknown> = {}) => {
  people += 1
  return {
    user_first_name: 'Jörg',
    user_last_name: 'Öhler',
    user_username: `joerg${people}`,
    user_email: `jörg${people}@münchen.de`,
    user_password: 'a long password',
    user_password_confirmation: 'a long password',
    user_login_option_type: 1,
    device_id: `phone ${people}`,
    user_timezone: 'UTC',
    user_device_platform: 'web',
    ...more,
  }
}
type Newcomer = Parameters<ReturnType<typeof app.as>['accounts']['register']>[0]
const register = (more?: Record<string, unknown>) => app.as().accounts.register(newcomer(more) as Newcomer)
const signIn = (user_login_id: string, user_password = 'a long password') =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id,
    user_password,
    device_id: `phone ${user_login_id}`.slice(0, 200),
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })

const mailboxes: [string, (mailbox: string) => string][] = [
  ['as it was registered', text => text],
  ['taken apart', apart],
  ['with its domain in ASCII', text => text.replace('münchen.de', 'xn--mnchen-3ya.de')],
  ['in capitals', text => text.toUpperCase()],
  ['with full-width letters in its domain', text => text.replace('.de', '.ｄｅ')],
]

describe('an e-mail address', () => {
  test.each(mailboxes)('%s signs in, and is taken', async (_, spelt) => {
    const { user } = await register()
    const typed = spelt(user.user_email)
    expect((await signIn(typed)).user.id).toBe(user.id)
    await expect(register({ user_email: typed })).rejects.toMatchObject({
      status: 400,
      body: { user_email: expect.anything() },
    })
  })

  test('is stored composed, with the letters of its domain', async () => {
    const { user } = await register({ user_email: apart('jürgen@xn--mnchen-3ya.de') })
    expect(user.user_email).toBe('jürgen@münchen.de')
  })
})

test('a username with the @ of a mention signs in', async () => {
  expect((await signIn(`@${gus.username}`, gus.password)).user.id).toBe(gus.id)
})

describe('a password', () => {
  test.each([
    ['composed', 'taken apart', composed, apart],
    ['taken apart', 'composed', apart, composed],
  ] as const)('chosen %s is recognized %s', async (_, __, chosen, typed) => {
    const { user } = await register({
      user_password: chosen('süßes Café'),
      user_password_confirmation: typed('süßes Café'),
    })
    expect((await signIn(user.user_email, typed('süßes Café'))).user.id).toBe(user.id)
    await expect(signIn(user.user_email, 'susses Cafe')).rejects.toMatchObject({ status: 401 })
  })

  test.each([composed, apart])('with a hash of its typed form is recognized, and hashed anew', async chosen => {
    const { user } = await register()
    const old = hashSync(chosen('schöne Feier'))
    await app.db.updateTable('users').set({ password_hash: old }).where('id', '=', user.id).execute()
    for (const typed of [composed, apart]) await signIn(user.user_email, typed('schöne Feier'))
    const row = await app.db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirst()
    expect(row?.password_hash === old).toBe(chosen === composed)
  })
})

test('a name is stored composed, and its namesake is found however it is typed', async () => {
  const { id } = await olivia.api.events.saveEvent(evening({ event_visibility: 2 }))
  const { link_code: code } = await olivia.api.links.makeLink({ event_id: id })
  const device = { device_id: 'tablet', user_timezone: 'UTC', user_device_platform: 'web' }
  const { user } = await app.as().links.joinByLink({ code, user_first_name: apart('Zoë'), ...device })
  expect(user.user_first_name).toBe(composed('Zoë'))
  for (const spelt of [composed, apart])
    expect(await app.as().returns.findNamesake({ code, user_first_name: spelt('Zoë') })).toEqual({ namesake: true })
})

test('poll choices that look the same are one', async () => {
  const poll = { group_chat_id: chatId, message_content: 'Where?', poll_choices: [composed('Café'), apart('Café')] }
  await expect(gus.api.polls.makePoll(poll)).rejects.toMatchObject({
    status: 400,
    body: { poll_choices: expect.anything() },
  })
})

describe('digits in another script', () => {
  test.each([
    ['Arabic', '٤٨٢١'],
    ['Persian', '۴۸۲۱'],
    ['Devanagari', '४८२१'],
    ['full-width', '４８２１'],
  ])('open a link with a PIN: %s', async (_, pin) => {
    const { link_code: code } = await olivia.api.links.makeLink({ event_id: event.id, pin: '4821' })
    const device = { device_id: `tablet ${pin}`, user_timezone: 'UTC', user_device_platform: 'web' }
    const { user } = await app.as().links.joinByLink({ code, pin, user_first_name: 'Nour', ...device })
    expect(user.user_first_name).toBe('Nour')
  })

  test('are accepted as a PIN, places and plus-ones', async () => {
    const { link_pin } = await olivia.api.links.makeLink({ event_id: event.id, pin: '٤٨٢١' })
    expect(link_pin).toBe('4821')
    const places = evening({ event_places: '١٢' as unknown as number })
    const { id, extra } = await olivia.extra.events.saveEvent(places)
    expect(extra.event_places).toBe(12)
    await bringIn(olivia, id, gus)
    const answer = { event_id: id, event_answer: 'going' as const, plus_ones: '٣' as unknown as number }
    expect(await gus.api.plans.answerEvent(answer)).toMatchObject({ plus_ones: 3 })
  })
})

describe('a device without a name for its time zone is accepted', () => {
  test.each(['Mitteleuropäische Sommerzeit', 'GMT+02:00 (CEST)', 'undefined', 'null', 'توقيت وسط أوروبا', '中欧时间'])(
    '%s',
    async user_timezone => {
      const { user } = await register({ user_timezone })
      expect(user.user_timezone).toBe(user_timezone.startsWith('GMT') ? 'Etc/GMT-2' : 'UTC')
    },
  )

  test.each(['Mars/Phobos', '12345', '', null])('except for %j, which is refused', async user_timezone => {
    await expect(register({ user_timezone })).rejects.toMatchObject({
      status: 400,
      body: { user_timezone: expect.anything() },
    })
  })
})

test('a name without a visible letter is refused', async () => {
  for (const blank of ['\u3164', '\u2800', '\u{13441}', '\u{1d159}', '\ufffc', '\u200b\u0301'])
    await expect(register({ user_first_name: blank }), JSON.stringify(blank)).rejects.toMatchObject({
      status: 400,
      body: { user_first_name: expect.anything() },
    })
})

test('accounts from before get the normalized spelling; two of one mailbox keep theirs, and the operator is told', async () => {
  const [alone, first, second] = [await enter(app, 'asha'), await enter(app, 'sam'), await enter(app, 'ana')]
  const written = (id: number, email: string) =>
    app.db.updateTable('users').set({ email }).where('id', '=', id).execute()
  await written(alone.id, apart('zoë@example.org'))
  await written(first.id, 'ürsula@köln.de')
  await written(second.id, 'ürsula@xn--kln-sna.de')
  const told: object[] = []
  await normalizeMailboxes(app.db, { warn: about => told.push(about) })
  expect(told).toEqual([{ userId: second.id }])
  expect((await findUnnormalizedAddresses(app.db)).map(({ id }) => id)).toEqual([second.id])
  expect((await signIn(composed('zoë@example.org'), alone.password)).user.id).toBe(alone.id)
  expect((await signIn('ürsula@köln.de', first.password)).user.id).toBe(first.id)
  expect((await signIn('ürsula@xn--kln-sna.de', second.password)).user.id).toBe(second.id)
  await sql`delete from jobs where task = 'settleMailboxes'`.execute(app.db)
})
