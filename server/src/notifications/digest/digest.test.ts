import { type Language, languages } from '@afterglow/contract/languages'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { openMailServer, type ReceivedMail } from '../../../test/mail/mail-server.ts'
import { quick, quiet } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { statementsOf } from '../../../test/statements.ts'
import { transact } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { say } from '../../words/words.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...mails.env, PUBLIC_URL: 'https://party.example' }, timing: quick })
const olivia = await enter(app, 'olivia')
beforeEach(() => mails.refuses(undefined))

/** A time zone where it is this hour now: nobody is mailed at night. */
const zoneAt = (hour: number) => {
  const ahead = hour - new Date().getUTCHours()
  const east = ahead > 12 ? ahead - 24 : ahead
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}

/** A guest with a verified address who was last here this many hours ago. */
const away = async (hours = 30) => {
  const gus = await enter(app, 'gus')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  await quiet(app)
  await gus.api.notifications.readAllNotifications()
  await sql`update users set status = 1, timezone = ${zoneAt(12)} where id = ${gus.id}`.execute(app.db)
  const leave = (hours: number) =>
    sql`update devices set last_used_at = now() - make_interval(hours => ${hours}) where user_id = ${gus.id}`.execute(
      app.db,
    )
  await leave(hours)
  const miss = async () => {
    await olivia.api.events.saveEvent(evening({ event_id, event_location: `The pier ${Math.random()}` }))
    await quiet(app)
  }
  await miss()
  return { gus, event_id, leave, miss }
}
/** Twice, as by two processes. */
const hour = async () => {
  await Promise.all(['digest', 'digest'].map(task => transact(app.db, tx => addJob(tx, task, {}))))
  await quiet(app)
}
const headerOf = (mail: ReceivedMail | undefined, name: string) =>
  mail?.headers.find(({ key }) => key === name)?.value ?? ''
const to = ({ email }: Member) =>
  mails.arrived.filter(mail => mail.envelopeTo.includes(email) && headerOf(mail, 'list-unsubscribe') !== '')
/** This many hours pass for somebody who got a digest. */
const pass = (hours: number) =>
  sql`update mail_digests set told_at = told_at - make_interval(hours => ${hours})`.execute(app.db)

describe('a digest', () => {
  test('tells once what was missed, as text too, and a day later only what is new', { tags: 'slow' }, async () => {
    const { gus, miss } = await away()
    await hour()
    await hour()
    const [mail] = to(gus)
    expect(to(gus)).toHaveLength(1)
    expect(mail?.subject).toBe('You missed one thing')
    for (const part of ['Olivia Ortega changed the', 'https://party.example/notifications'])
      expect([mail?.text?.includes(part), mail?.html?.includes(part)]).toEqual([true, true])
    await pass(24)
    await hour()
    expect(to(gus)).toHaveLength(1)
    await miss()
    await hour()
    expect(to(gus)).toHaveLength(2)
  })

  test('goes to nobody who was here, is asleep, has read it, mutes it, wants none, or proved no address', {
    tags: 'slow',
  }, async () => {
    const there = await away(20)
    const asleep = await away()
    await sql`update users set timezone = ${zoneAt(23)} where id = ${asleep.gus.id}`.execute(app.db)
    const reader = await away()
    await sql`update notifications set read_at = now() where user_id = ${reader.gus.id}`.execute(app.db)
    const muting = await away()
    await sql`update users set mutes_notifications = true where id = ${muting.gus.id}`.execute(app.db)
    await sql`delete from notifications where user_id = ${muting.gus.id}`.execute(app.db)
    await muting.miss()
    const unwilling = await away()
    await unwilling.gus.api.notifications.saveNotificationSettings({ mails_digest: false })
    await unwilling.gus.api.notifications.saveNotificationSettings({ rings_per_hour: 3 })
    await unwilling.leave(30)
    const unproven = await away()
    await sql`update users set status = 2 where id = ${unproven.gus.id}`.execute(app.db)
    await hour()
    for (const { gus } of [there, asleep, reader, muting, unwilling, unproven]) expect(to(gus)).toHaveLength(0)
  })

  test('is looked for each hour by as few statements for three hundred who sleep as for nobody', async () => {
    await sql`
      with people as (
        insert into users (first_name, last_name, username, email, status, timezone)
        select 'Sleeper', n::text, 'sleeper' || n, 'sleeper' || n || '@party.example', 1, ${zoneAt(23)}
        from generate_series(1, 300) n returning id
      )
      insert into notifications (user_id, kind, actor_id, tag, text_values, link, reasons)
      select id, 'friend_request', ${olivia.id}, 'sleeping', '{"actor": "Olivia"}', '/', '[]' from people`.execute(
      app.db,
    )
    // The poll that runs every second may come in between.
    expect(await statementsOf(hour, 'afterglow background')).toBeLessThan(100)
    await sql`update users set status = 3 where username like 'sleeper%'`.execute(app.db)
  })

  test('is not sent to who came back before it left, and is tried again when the mail server has no time', async () => {
    const [back, patient] = [await away(), await away()]
    mails.refuses({ code: 451, at: 'recipient' })
    await Promise.all(['digest'].map(task => transact(app.db, tx => addJob(tx, task, {}))))
    const failing = async () =>
      (
        await sql`select from jobs where last_error is not null
          and (payload ->> 'userId')::bigint in (${back.gus.id}, ${patient.gus.id})`.execute(app.db)
      ).rows.length
    await expect.poll(failing).toBeGreaterThan(0)
    await back.gus.api.notifications.countUnreadNotifications()
    await back.leave(0)
    mails.refuses(undefined)
    await sql`update jobs set run_at = now()`.execute(app.db)
    await quiet(app)
    expect([to(back.gus).length, to(patient.gus).length]).toEqual([0, 1])
  })

  test('a process that dies while it hands the mail over sends none a second time', async () => {
    const { gus } = await away()
    await transact(app.db, tx => addJob(tx, 'digest', {}))
    await quiet(app)
    expect(to(gus)).toHaveLength(1)
    // As the queue does for a process that is gone.
    await transact(app.db, tx => addJob(tx, 'sendDigest', { userId: gus.id, askedAt: Date.now() }))
    await quiet(app)
    expect(to(gus)).toHaveLength(1)
  })

  test('is in the language of who reads it, and in no other', async () => {
    const readers = new Map<Language, Member>()
    for (const language of languages) {
      const { gus } = await away()
      await sql`update users set language = ${language} where id = ${gus.id}`.execute(app.db)
      readers.set(language, gus)
    }
    await hour()
    for (const [language, reader] of readers) {
      const [mail] = to(reader)
      expect(mail?.subject).toBe(say(language, 'mail.digest.subject', { count: 1 }))
      for (const path of ['digest.paragraph1', 'digest.action', 'digest.footer', 'unsubscribe.act'])
        for (const other of languages)
          expect([other, mail?.text?.includes(say(other, `mail.${path}`))]).toEqual([other, other === language])
    }
  })
})

describe('the link that ends digests', () => {
  const linkOf = async () => {
    const { gus, miss, leave } = await away()
    await hour()
    const [mail] = to(gus)
    const [, url = ''] = /<(.+)>/.exec(headerOf(mail, 'list-unsubscribe')) ?? []
    expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text).toContain(url)
    const path = new URL(url).pathname
    const wants = async () => {
      const { mails_digest } = await gus.api.notifications.readNotificationSettings()
      return mails_digest
    }
    const click = (code = path) =>
      fetch(app.url + code, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
        headers: { 'accept-language': 'de' },
      })
    return { gus, path, wants, click, miss, leave }
  }

  test('asks who opens it, ends them with one click, and says the same a second time', { tags: 'slow' }, async () => {
    const { gus, path, wants, click, miss, leave } = await linkOf()
    const asked = await fetch(app.url + path, { headers: { 'accept-language': 'ar' } })
    expect([asked.status, (await asked.text()).includes('dir="rtl"')]).toEqual([200, true])
    expect(await wants()).toBe(true)
    for (const _ of [1, 2]) {
      const reply = await click()
      expect([reply.status, (await reply.text()).includes(say('de', 'mail.unsubscribe.done'))]).toEqual([200, true])
    }
    expect(await wants()).toBe(false)
    await leave(30)
    await pass(24)
    await miss()
    await hour()
    expect(to(gus)).toHaveLength(1)
  })

  test('another’s link, or a made-up one, ends nothing of mine; that of an account that is gone says what it said', async () => {
    const [mine, theirs] = [await linkOf(), await linkOf()]
    await theirs.click()
    expect([await mine.wants(), await theirs.wants()]).toEqual([true, false])
    const forged = mine.path.replace(/.$/, last => (last === 'A' ? 'Q' : 'A'))
    for (const path of [forged, '/unsubscribe/1', `/unsubscribe/${mine.gus.id}-`])
      expect((await mine.click(path)).status).toBe(404)
    expect(await mine.wants()).toBe(true)
    await sql`delete from notification_settings where user_id = ${mine.gus.id}`.execute(app.db)
    await sql`update users set status = 4, erased_at = now() where id = ${mine.gus.id}`.execute(app.db)
    expect((await mine.click()).status).toBe(200)
    const { rows } = await sql`select from notification_settings where user_id = ${mine.gus.id}`.execute(app.db)
    expect(rows).toEqual([])
  })
})
