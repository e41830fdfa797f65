import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { mailsIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { quiet } from '../../../test/notified.ts'
import { evening } from '../../../test/party.ts'
import { transact } from '../../platform/database.ts'
import { mail } from './mailing.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...mails.env, PUBLIC_URL: 'https://party.example' } })
beforeEach(() => mails.refuses(undefined))

const host = await enter(app, 'gus')
const { id: event_id } = await host.api.events.saveEvent(evening())
const link = await host.api.links.makeLink({ event_id })
const invitation = { about: 'invitation', inviter: 'Olivia', event: 'Lanterns', linkId: link.id } as const
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
    const { rows } = await sql<{ job: string }>`select j::text as job from graphile_worker._private_jobs j`.execute(tx)
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
      await sql<{ request: string }>`select payload ->> '_request' as request from graphile_worker._private_jobs
        where last_error is not null and payload ->> 'about' = 'resetPassword'`.execute(app.db)
    ).rows
  await expect.poll(waiting).toEqual([{ request: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
  await sql`delete from graphile_worker._private_jobs`.execute(app.db)
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

test('one person causes three hundred mails a day', async () => {
  const olivia = await enter(app, 'olivia')
  await sql`insert into mails_asked (address_hash, by_user_id)
    select sha256(n::text::bytea), ${olivia.id} from generate_series(1, 298) n`.execute(app.db)
  expect(await invite('one@example.com', olivia.id)).toBe(true)
  expect(await invite('two@example.com', olivia.id)).toBe(false)
})

test('an address that cannot exist gets none', async () => {
  expect(await invite('guest.abc@guest.invalid')).toBe(false)
})

test('what the mail server does not take now comes later, once', async () => {
  mails.refuses({ code: 451, at: 'data' })
  await invite('later@example.com')
  const failures = async () =>
    (
      await sql<{ n: number }>`
        select coalesce(sum(attempts), 0)::int as n from graphile_worker._private_jobs where last_error is not null`.execute(
        app.db,
      )
    ).rows[0]?.n
  await expect.poll(failures).toBeGreaterThan(0)
  mails.refuses(undefined)
  await mails.mailTo('later@example.com')
  await quiet(app)
  expect(to('later@example.com')).toHaveLength(1)
})

const refusedOnce = async () => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from graphile_worker._private_jobs where attempts = 1 and locked_at is null`.execute(
    app.db,
  )
  return rows[0]?.waiting
}

test('what it never takes is given up, and a mail that waited too long as well', async () => {
  mails.refuses({ code: 550, at: 'recipient' })
  await invite('refused@example.com')
  await quiet(app)
  mails.refuses({ code: 451, at: 'data' })
  await invite('stale@example.com')
  await expect.poll(refusedOnce).toBe(1)
  await sql`update graphile_worker._private_jobs
    set payload = jsonb_set(payload::jsonb, '{askedAt}', to_jsonb(0))::json, run_at = now()`.execute(app.db)
  mails.refuses(undefined)
  await quiet(app)
  expect([...to('refused@example.com'), ...to('stale@example.com')]).toEqual([])
})

test('without a mail server and an address of its own, the service writes codes without links', async () => {
  const small = await openTestApp()
  const gus = await enter(small, 'gus')
  await quiet(small)
  const [letter] = await mailsIn(small.dataDir)
  expect(letter?.to).toEqual([{ name: '', address: gus.email }])
  expect(`${letter?.text}${letter?.html}`).not.toMatch(/https?:/)
  // A forged Host must not come to stand in anybody's mail.
  await fetch(`${small.url}/api/account/password/forgot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example', 'accept-language': 'de-AT' },
    body: JSON.stringify({ user_email: gus.email }),
  })
  await quiet(small)
  const reset = (await mailsIn(small.dataDir)).at(-1)
  expect(reset?.subject).toBe('Dein neues Passwort')
  expect(reset?.text).not.toContain('evil')
})
