import { readFileSync } from 'node:fs'
import { type Language, languages } from '@afterglow/contract/languages'
import { notificationKinds } from '@afterglow/contract/notifications'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { everyReason } from '../../test/every-reason.ts'
import { openMailServer } from '../../test/mail/mail-server.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { transact } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import { momentIn } from '../words/moments.ts'
import { listOf, secondsIn } from '../words/words.ts'
import type { NotificationKind } from './notices.ts'
import { readerOf } from './readers-store.ts'
import { type TextValues, textOf } from './texts.ts'

const counts = [1, 2, 5, 100]
const names = { plain: ['Olivia Ortega', 'Midsummer'], mixed: ['محمد علي', 'حفلة الصيف'] } as const

/** The values of each kind; a new kind does not compile without them. */
const samples: Record<NotificationKind, TextValues[]> = {
  message: [{ text: 'Hello!' }, { text: 'مرحبًا' }, { gone: { of: 'message', fate: 'deleted' } }],
  mention: [{ text: 'Hello!' }],
  message_reply: [{ text: 'Hello!' }],
  message_reaction: [{ text: 'Hello!', emoji: '🎉' }, { actor: undefined, text: 'Hello!' } as TextValues],
  message_pinned: [{ text: 'Hello!' }],
  photo_like: [{}, { actor: undefined } as TextValues],
  photo_comment: [{ text: 'Nice' }, { gone: { of: 'comment', fate: 'hidden' } }],
  comment_mention: [{ text: 'Nice' }],
  comment_reply: [{ text: 'Nice' }],
  comment_reaction: [{ text: 'Nice', emoji: '❤️' }, { actor: undefined, text: 'Nice' } as TextValues],
  join_request: [{}],
  join_approved: [{}],
  join_rejected: [{}],
  return_request: [{}],
  let_in_again: [{}],
  invitation: [{}],
  friend_request: [{}],
  event_changed: [
    { changed: ['name'] },
    { changed: ['time', 'place'], startsAt: '2027-06-21T20:00:00Z', timezone: 'Europe/Madrid', place: 'The old pier' },
  ],
  event_cancelled: [{}],
  event_uncancelled: [{}],
  event_deleted: [{}, { actor: undefined } as TextValues],
  event_restored: [{}, { actor: undefined } as TextValues],
  event_unlisted: [{}],
  event_listed: [{}],
  link_paused: [{}],
  owner_offered: [{}],
  answer_wanted: [{}],
  place_given: [{}],
  owner_changed: [{}],
  owner_made: [{}],
  guest_removed: [{}],
  organizer_unmade: [{}],
  announcement: [{ text: 'The bus leaves at five.' }, { text: 'الحافلة في الخامسة' }],
  reminder: [{ startsAt: '2027-06-21T20:00:00Z' }, { startsAt: '2027-06-21T20:00:00Z', place: 'The old pier' }],
  recap: [
    { photos: 312, people: 41, likes: 23 },
    { photos: 2, people: 2, likes: 1 },
    { photos: 1, people: 1, likes: 0 },
  ],
  photos_revealed: [
    { photos: 312, people: 41 },
    { photos: 1, people: 1 },
  ],
  photos_added: [
    { photos: 1, others: 0 },
    { photos: 5, others: 0 },
    { photos: 100, others: 3 },
  ],
  photos_waiting: [{}],
  photos_wanted: [{}],
  export_ready: [{}],
  report: [{ reported: 'photo' }, { event: undefined, reported: 'user' } as TextValues],
  webhook_off: [{}, { event: undefined } as TextValues, { forsaken: true }],
  test: [{}],
}

const rowOf = (kind: string, count: number, text_values: TextValues) => ({
  kind,
  count,
  text_values: JSON.parse(JSON.stringify(text_values)),
  title: null,
  body: null,
})

test.each(languages)(
  'every kind has its words in %s, of one, two, five and many, with names of either direction',
  async language => {
    const reader = { language, timezone: 'Europe/Berlin' }
    const said = notificationKinds.flatMap(kind =>
      samples[kind].flatMap(values =>
        Object.values(names).flatMap(([actor, event]) => [
          ...new Set(
            counts.map(count => {
              const { title, body } = textOf(rowOf(kind, count, { actor, event, ...values }), reader)
              expect([kind, title !== '', body.includes('undefined')]).toEqual([kind, true, false])
              return `${kind}: ${title} | ${body}`.replaceAll('\u2068', '⟨').replaceAll('\u2069', '⟩')
            }),
          ),
        ]),
      ),
    )
    await expect(said.join('\n')).toMatchFileSnapshot(`../../test/texts/${language}.txt`)
  },
)

test('a notification told in English before reads as it did', () => {
  const before = { ...rowOf('message', 3, {}), text_values: null, title: 'Gus in Party', body: 'Hello' }
  expect(textOf(before, { language: 'ar', timezone: 'UTC' })).toEqual({ title: 'Gus in Party', body: 'Hello' })
})

test('a later version’s notification that this one has no words for is shown without words', () => {
  expect(textOf(rowOf('unheard_of', 1, { actor: 'Gus' }), { language: 'de', timezone: 'UTC' }).body).toBe('')
})

const mails = await openMailServer()
const { app, quiet, subscribe } = await openNotifiedApp({ env: { ...mails.env, PUBLIC_URL: 'https://party.example' } })

/** The same client, as a phone that prefers a language. */
const speaking = (token: string, language: string) => app.as(token, language)

test('everybody is told in their own language: in the list, as push, over the channel and in the trace', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const german = { ...gus, api: speaking(gus.token, 'de-AT,de;q=0.9') }
  const browser = await subscribe(german)
  await olivia.api.events.cancelEvent({ event_id })
  await quiet()
  expect(browser.messages().map(({ body }) => body)).toContain('Olivia Ortega hat abgesagt.')
  const newest = async (api = gus.api) =>
    (await api.notifications.listNotifications({ page: 1, page_length: 1 })).data[0]
  // By default as known for the device, otherwise as requested.
  expect((await newest())?.notification_body).toBe('Olivia Ortega hat abgesagt.')
  const spanish = speaking(gus.token, 'es')
  expect((await newest(spanish))?.notification_body).toBe('Olivia Ortega ha cancelado el evento.')
  const notification_id = (await newest())?.id ?? 0
  expect((await spanish.notifications.traceNotification({ notification_id })).reason).toBe('Estás en este evento.')
  expect((await newest(speaking(gus.token, 'tlh')))?.notification_body).toBe('Olivia Ortega hat abgesagt.')
})

test('days and times are told as a reader’s region writes them, as push and in the list', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const about = { event_starts_at: '2030-12-07T19:00:00.000Z', event_ends_at: undefined, event_timezone: 'Etc/UTC' }
  const event = await olivia.api.events.saveEvent(evening(about))
  await bringIn(olivia, event.id, gus)
  const browser = await subscribe({ ...gus, api: speaking(gus.token, 'en-GB,en;q=0.9') })
  await quiet()
  const later = { ...about, event_id: event.id, event_starts_at: '2030-12-07T20:30:00.000Z' }
  await olivia.api.events.saveEvent(evening(later))
  await quiet()
  expect(browser.messages().at(-1)?.body).toContain('Sat 7 Dec, 20:30')
  const newest = async (api = gus.api) =>
    (await api.notifications.listNotifications({ page: 1, page_length: 1 })).data[0]?.notification_body
  expect(await newest()).toContain('Sat 7 Dec, 20:30')
  expect(await newest(speaking(gus.token, 'en-US'))).toMatch(/Sat, Dec 7, 8:30\sPM/)
  // A region stays known where a client names the language alone, and mails know it too.
  await speaking(gus.token, 'en').notifications.registerDevice({})
  const { rows } = await sql`
    select d.language as device, u.language as owner from devices d join users u on u.id = d.user_id
    where u.id = ${gus.id}`.execute(app.db)
  expect(rows).toEqual([{ device: 'en-GB', owner: 'en-GB' }])
})

test.each([
  ['en', 'Europe/Berlin', 'Sat 7 Dec, 20:00'],
  ['en', 'America/Chicago', 'Sat, Dec 7, 1:00 PM'],
  ['en-GB', 'America/Chicago', 'Sat 7 Dec, 13:00'],
  ['en-US', 'Europe/Berlin', 'Sat, Dec 7, 8:00 PM'],
  ['de-AT', 'Europe/Vienna', 'Sa., 7. Dez., 20:00'],
  ['es-MX', 'America/Mexico_City', 'sáb 7 de dic, 1:00 p.m.'],
] as const)('%s in %s reads %s', (language, timezone, words) => {
  const reader = readerOf({ language, timezone })
  const { body } = textOf(rowOf('reminder', 1, { event: 'Party', startsAt: '2030-12-07T19:00:00.000Z' }), reader)
  expect(body.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(words)
  expect(body).not.toContain('..')
})

test('a reply says in which language it speaks, also where it was asked for another', async () => {
  const { token } = await enter(app, 'ana')
  const languageOf = async (asked: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Language': asked }
    const reply = await fetch(`${app.url}/api/notification/list?page=1&page_length=1`, { headers })
    return reply.headers.get('content-language')
  }
  expect(await Promise.all(['ar', 'tlh', ''].map(languageOf))).toEqual(['ar', 'en', 'en'])
})

test('rows from before the languages are listed and edited as they were', async () => {
  const gus = await enter(app, 'gus')
  await sql`
    insert into notifications (user_id, kind, actor_id, tag, title, body, link, reasons)
    values (${gus.id}, 'message', ${gus.id}, 'chat:0', 'Ana in Party', 'Hello', '/chats', '[]')`.execute(app.db)
  const { data } = await speaking(gus.token, 'ar').notifications.listNotifications({ page: 1, page_length: 5 })
  expect(data).toMatchObject([{ notification_title: 'Ana in Party', notification_body: 'Hello' }])
})

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? []

/** Everything the service says in a language: its file, and what is generated by rule. */
const vocabulary = (language: Language): ReadonlySet<string> => {
  const file = readFileSync(new URL(`../words/${language}.json`, import.meta.url), 'utf8')
  const said: string[] = []
  JSON.parse(file, (_, value) => typeof value === 'string' && said.push(value.replaceAll(/\{\{\w+\}\}/g, ' ')))
  const days = Array.from({ length: 73 }, (_, at) => momentIn(language, new Date(at * 5 * 86_400_000), 'UTC').phrase)
  const made = [listOf(language, ['', '', '']), secondsIn(language, 30)].map(({ phrase }) => phrase)
  return new Set(wordsIn([...said, ...days, ...made].join(' ')))
}
const vocabularies = new Map(languages.map(language => [language, vocabulary(language)]))
/** Words that only readers of another language should get. */
const foreignIn = (language: Language, text: string) =>
  wordsIn(text).filter(
    word =>
      !vocabularies.get(language)?.has(word) && [...vocabularies.values()].some(vocabulary => vocabulary.has(word)),
  )

/** Every kind, with names of people and places that are words in no language. */
const everyKind = Object.entries(samples).flatMap(([kind, values]) =>
  values.map(each => ({
    kind,
    values: {
      actor: 'Xyla',
      event: 'Qwyx',
      ...each,
      ...(each.text && { text: 'Zwyq' }),
      ...(each.place && { place: 'Vrax' }),
    },
  })),
)

test('an evening has no word of another language: in the list, as push, by mail and in the trace', async () => {
  const told = new Map<Language, string>()
  for (const language of languages) {
    const gus = await enter(app, 'gus')
    const api = speaking(gus.token, language)
    const browser = await subscribe({ api })
    await transact(app.db, async tx => {
      const { rows } = await sql<{ id: string }>`
        insert into notifications (user_id, kind, actor_id, tag, text_values, link, count, reasons, ring_at)
        select ${gus.id}, told ->> 'kind', ${gus.id}, at::text, told -> 'values', '/', 1, ${JSON.stringify(everyReason)}::jsonb,
          now()
        from jsonb_array_elements(${JSON.stringify(everyKind)}::jsonb) with ordinality each (told, at)
        returning id`.execute(tx)
      await addJob(tx, 'ring', { ids: rows.map(({ id }) => Number(id)) })
    })
    await quiet()
    const { data } = await api.notifications.listNotifications({ page: 1, page_length: 100 })
    const { reason, deliveries } = await api.notifications.traceNotification({ notification_id: data[0]?.id ?? 0 })
    const pushed = browser.messages()
    expect([data.length, pushed.length]).toEqual([everyKind.length, everyKind.length])
    // None of the reasons against a digest, and a day away at noon.
    await sql`update notifications set reasons = '[]' where user_id = ${gus.id}`.execute(app.db)
    const hours = 12 - new Date().getUTCHours()
    const timezone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
    await sql`update users set status = 1, timezone = ${timezone} where id = ${gus.id}`.execute(app.db)
    await sql`update devices set last_used_at = now() - interval '30 hours' where user_id = ${gus.id}`.execute(app.db)
    await transact(app.db, tx => addJob(tx, 'digest', {}))
    await quiet()
    const isDigest = ({ headers }: { headers: { key: string }[] }) =>
      headers.some(({ key }) => key === 'list-unsubscribe')
    const mail = mails.arrived.find(mail => mail.envelopeTo.includes(gus.email) && isDigest(mail))
    expect(mail?.subject).toBeDefined()
    const texts = [
      ...data.flatMap(one => [one.notification_title, one.notification_body]),
      ...pushed.flatMap(({ title, body }) => [title, body]),
      ...[mail?.subject, mail?.text?.replaceAll(/https?:\S+/g, '')],
      ...[reason, ...deliveries.map(delivery => delivery.reason)],
    ]
    told.set(language, texts.join('\n'))
  }
  for (const [language, text] of told) {
    expect([language, foreignIn(language, text)]).toEqual([language, []])
    for (const other of languages) expect(foreignIn(other, text).length > 0).toBe(other !== language)
  }
})
