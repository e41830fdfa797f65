import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { mailsIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { quiet } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import { transact } from '../../platform/database/database.ts'
import { mail, openMailInvitations } from './mail-jobs.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...mails.env, PUBLIC_URL: 'https://party.example' } })
beforeEach(() => mails.refuses(undefined))

const host = await enter(app, 'gus')
const { id: event_id } = await host.api.events.saveEvent(evening())
const link = await host.api.links.makeLink({ event_id })
const invitation = {
  about: 'invitation',
  inviter: 'Olivia',
  inviterId: host.id,
  event: 'Lanterns',
  linkId: link.id,
} as const
const invite = (address: string, byUserId: number | null = null) =>
  transact(app.db, tx => mail(tx, invitation, { address, language: 'es', byUserId }))
const to = (address: string) => mails.arrived.filter(({ envelopeTo }) => envelopeTo.includes(address))

test('somebody without an account is invited by mail, in the language of who invites', async () => {
  expect(await invite('friend@example.com')).toBe(true)
  const letter = await mails.mailTo('friend@example.com')
  expect(letter.subject).toBe('\u2068Olivia\u2069 te invita a \u2068Lanterns\u2069')
  expect(letter.text).toContain(`https://party.example/j/${link.link_code}`)
})

test('an invitation waits without its code, and is not sent when its link is revoked by then', async () => {
  const { id: linkId, link_code } = await host.api.links.makeLink({ event_id })
  await transact(app.db, async tx => {
    await mail(tx, { ...invitation, linkId }, { address: 'revoked@example.com', language: 'en' })
    const { rows } = await sql<{ job: string }>`select j::text as job from jobs j`.execute(tx)
    const waiting = rows.map(({ job }) => job).filter(job => job.includes('revoked@example.com'))
    expect(waiting).toHaveLength(1)
    expect(waiting[0]).not.toContain(link_code)
    await sql`update event_links set revoked_at = now() where id = ${linkId}`.execute(tx)
  })
  await quiet(app)
  expect(to('revoked@example.com')).toHaveLength(0)
})

test('a mail that cannot leave yet remembers the request that asked for it', async () => {
  mails.refuses({ code: 451, at: 'data' })
  await app.as().recovery.forgotPassword({ user_email: host.email })
  const waiting = async () =>
    (
      await sql<{ request: string }>`select payload ->> '_request' as request from jobs
        where last_error is not null and payload ->> 'about' = 'resetPassword'`.execute(app.db)
    ).rows
  await expect.poll(waiting).toEqual([{ request: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
  await sql`delete from jobs`.execute(app.db)
})

test('an act that fails mails nothing', async () => {
  await transact(app.db, async tx => {
    await mail(tx, invitation, { address: 'never@example.com', language: 'en' })
    throw new Error('the act fails')
  }).catch(() => {})
  await quiet(app)
  expect(to('never@example.com')).toHaveLength(0)
})

test('an address gets five invitations an hour, by however many people, whatever its case', async () => {
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, at) => invite(at % 2 ? 'Target@example.com' : 'target@example.com')),
  )
  expect(asked.filter(Boolean)).toHaveLength(5)
})

describe('somebody', () => {
  const prove = (of: { id: number }, daysOld = 0) =>
    sql`update users set status = 1, created_at = now() - make_interval(days => ${daysOld}, mins => 1)
      where id = ${of.id}`.execute(app.db)
  const sends = (of: { id: number }, addresses: readonly string[]) =>
    transact(app.db, async tx => {
      const send = await openMailInvitations(tx, of.id)
      const sent = []
      for (const address of addresses) if (await send(invitation, { address, language: 'en' })) sent.push(address)
      return sent
    })
  const some = (most: number, of: string) => Array.from({ length: most }, (_, at) => `${of}${at}@example.com`)

  test('writes to strangers only from a proven address', async () => {
    const olivia = await enter(app, 'olivia')
    await expect(sends(olivia, ['x@example.com'])).rejects.toMatchObject({ code: 'unprovenEmail' })
    await prove(olivia)
    expect(await sends(olivia, ['x@example.com'])).toHaveLength(1)
  })

  test('writes to twenty on the first day, to more each day, and never to more than three hundred', async () => {
    for (const [days, most] of [
      [0, 20],
      [1, 40],
      [400, 300],
    ] as const) {
      const rita = await enter(app, 'rita')
      await prove(rita, days)
      await sql`insert into mails_asked (address_hash, by_user_id)
        select sha256(n::text::bytea), ${rita.id} from generate_series(1, ${most - 2}) n`.execute(app.db)
      // The one for verifying her own address.
      expect(await sends(rita, some(3, `day${days}.`))).toHaveLength(1)
    }
  })

  test('writes to one stranger twice a day', async () => {
    const ana = await enter(app, 'ana')
    await prove(ana)
    expect(await sends(ana, Array(5).fill('same@example.com'))).toHaveLength(2)
  })
})

test('a mail that lets somebody in waits behind nobody’s invitations', async () => {
  mails.slowly(200)
  const invitations = () => mails.arrived.filter(({ envelopeTo }) => envelopeTo[0]?.startsWith('many')).length
  await Promise.all(Array.from({ length: 40 }, (_, at) => invite(`many${at}@example.com`)))
  await app.as().recovery.forgotPassword({ user_email: host.email })
  await expect.poll(() => to(host.email).map(({ subject }) => subject)).toContain('Reset your password')
  expect(invitations()).toBeLessThan(20)
  mails.slowly(0)
  await quiet(app)
  expect(invitations()).toBe(40)
})

test('a new password’s code goes to the address as it is stored, without a name that nobody proved', async () => {
  const gwen = await enter(app, 'gwen')
  await sql`update users set first_name = 'Call 555 1234' where id = ${gwen.id}`.execute(app.db)
  await app.as().recovery.forgotPassword({ user_email: gwen.email.toUpperCase() })
  await expect.poll(() => to(gwen.email).map(({ subject }) => subject)).toContain('Reset your password')
  expect(to(gwen.email.toUpperCase())).toEqual([])
  for (const { text, html } of to(gwen.email)) expect(`${text}${html}`).not.toContain('555 1234')
  await sql`update users set status = 1 where id = ${gwen.id}`.execute(app.db)
  await app.as().recovery.forgotPassword({ user_email: gwen.email })
  await expect.poll(() => to(gwen.email).at(-1)?.text).toContain('555 1234')
})

test('an address that cannot exist gets none', async () => {
  expect(await invite('guest.abc@guest.invalid')).toBe(false)
})

test('a mail that the server does not take now comes later, once', { tags: 'slow' }, async () => {
  mails.refuses({ code: 451, at: 'data' })
  await invite('later@example.com')
  const failures = async () =>
    (
      await sql<{ n: number }>`
        select coalesce(sum(attempts), 0)::int as n from jobs where last_error is not null`.execute(app.db)
    ).rows[0]?.n
  await expect.poll(failures).toBeGreaterThan(0)
  mails.refuses(undefined)
  await mails.mailTo('later@example.com')
  await quiet(app)
  expect(to('later@example.com')).toHaveLength(1)
})

const refusedOnce = async () => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from jobs where attempts = 1 and held_by is null`.execute(app.db)
  return rows[0]?.waiting
}

test('a mail that is never taken is given up, and one that waited too long is told to the operator, without its address', async () => {
  mails.refuses({ code: 550, at: 'recipient' })
  await invite('refused@example.com')
  await quiet(app)
  mails.refuses({ code: 451, at: 'data' })
  await invite('stale@example.com')
  await expect.poll(refusedOnce).toBe(1)
  await sql`update jobs
    set payload = jsonb_set(payload::jsonb, '{askedAt}', to_jsonb(0))::json, run_at = now()`.execute(app.db)
  mails.refuses(undefined)
  await quiet(app)
  expect([...to('refused@example.com'), ...to('stale@example.com')]).toEqual([])
  const { rows } = await sql`delete from jobs where failed_at is not null returning payload, last_error`.execute(app.db)
  expect(rows).toEqual([{ payload: { about: 'invitation' }, last_error: expect.stringContaining('within 72 hours') }])
})

test('without a mail server and an address of its own, the service writes codes without links', async () => {
  const small = await openTestApp()
  const gus = await enter(small, 'gus')
  await quiet(small)
  const [letter] = await mailsIn(small.dataDir)
  expect(letter?.to).toEqual([{ name: '', address: gus.email }])
  expect(`${letter?.text}${letter?.html}`).not.toMatch(/https?:/)
  // A forged Host header must not get into anybody's mail.
  await fetch(`${small.url}/api/account/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example', 'accept-language': 'de-AT' },
    body: JSON.stringify({ user_email: gus.email }),
  })
  await quiet(small)
  const reset = (await mailsIn(small.dataDir)).at(-1)
  expect(reset?.subject).toBe('Setze dein Passwort zurück')
  expect(reset?.text).not.toContain('evil')
})
