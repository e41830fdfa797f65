import { randomBytes } from 'node:crypto'
import { operations } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { suspend } from '../src/events/suspension.ts'
import { type Ending, endings, tablesOf } from '../src/slice.ts'
import { slices } from '../src/slices.ts'
import { type Api, openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { bringIn, evening } from './party.ts'
import { png } from './pictures.ts'
import { addressOf, tusFor } from './tus.ts'

/* Nothing that depends on a person's standing outlives it: each thing that grants access × each way to lose it. */

const app = await openTestApp()
const secret = () => randomBytes(32).toString('base64url')
const on = (device_id: string) => ({ device_id, user_timezone: 'UTC', user_device_platform: 'web' })
const codeOf = ({ transfer_url }: { transfer_url: string }) => transfer_url.split('#code=')[1] ?? ''
const isThere = (asked: Promise<unknown>) =>
  asked.then(
    () => true,
    () => false,
  )
const serves = async (url: string | null) => (await fetch(url ?? '')).status === 200
const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(app.db)).rows.length > 0

/**
 * Anna, who joined by a link and has no password, with everything that a guest may have; each entry says whether it
 * still works.
 */
const everything = async () => {
  const [olivia, rita] = [await enter(app, 'olivia'), await enter(app, 'rita')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, rita)
  await olivia.api.events.makeOrganizer({ event_id, user_id: rita.id })
  const { id: link_id, link_code: code } = await olivia.api.links.makeLink({ event_id })
  const joined = await app.as().links.joinByLink({ code, user_first_name: 'Anna', ...on('phone') })
  const { token } = joined
  const anna = app.as(token)
  const user_id = joined.user.id
  const takes = async (from: { transfer_url: string }, device: string) =>
    app.as((await app.as().transfers.takeTransfer({ transfer_code: codeOf(from), ...on(device) })).token)

  const letIn = await takes(await rita.api.returns.letInAgain({ event_id, user_id }), 'let in')
  const tablet = await takes(await anna.transfers.makeTransfer(), 'tablet')
  const ofTablet = codeOf(await tablet.transfers.makeTransfer())
  const letsIn = codeOf(await rita.api.returns.letInAgain({ event_id, user_id }))
  const { code_text } = await anna.returns.keepOwnCode({})
  await anna.returns.makeReturnKey({ event_id, return_key: secret() })
  const { calendar_feed_url } = await anna.plans.makeCalendarFeed()

  const photo = await olivia.api.gallery.uploadPhoto({
    event_id,
    image: new Blob([await png({ width: 30, height: 20 })]),
  })
  const event_photo_id = Number(photo.id)
  const comment = await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Nice' })
  const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  const asked = { group_chat_id, message_content: 'Where?', poll_choices: ['Here', 'There'] }
  const poll = await olivia.api.polls.makePoll(asked)
  await anna.gallery.likePhoto({ event_photo_id })
  await anna.gallery.reactToComment({ event_photo_comment_id: comment.id, comment_reaction: '👍' })
  await anna.chats.reactToMessage({ message_id: Number(message.id), message_reaction: '🎉' })
  await anna.polls.vote({ message_id: Number(poll.id), poll_choice_ids: [1] })
  await anna.plans.answerEvent({ event_id, event_answer: 'going' })
  const tus = tusFor(app.url, { token })
  const upload = await addressOf(tus.open(1000, { event_id, kind: 'image' }))
  await olivia.api.events.handOver({ event_id, user_id })
  const other = await olivia.api.events.saveEvent(evening())
  await olivia.api.events.invite({ event_id: other.id, user_ids: [user_id] })

  const { download_url } = await anna.gallery.linkAlbum({ event_id })
  const { event_calendar_url } = await anna.plans.linkCalendar({ event_id })
  const links = await Promise.all(
    (['guest', 'drop', 'look', 'screen'] as const).map(kind => rita.api.links.makeLink({ event_id, kind })),
  )
  const [guests, drop, look, screen] = links.map(({ link_code }) => link_code) as [string, string, string, string]
  const adder = app.as((await app.as().links.joinByLink({ code: drop, user_first_name: 'Ada' })).token)
  const looking = async (code: string) => app.as((await app.as().links.viewByLink({ code })).token)
  const [looker, wall] = [await looking(look), await looking(screen)]
  const album = (api: Api) => isThere(api.gallery.listPhotos({ event_id, page: 1, page_length: 1 }))

  const opens = (transfer_code: string) => isThere(app.as().transfers.openTransfer({ transfer_code }))
  const things: Record<string, () => Promise<boolean>> = {
    session: () => isThere(anna.accounts.readAccount()),
    'session of a device': () => isThere(tablet.accounts.readAccount()),
    'session that was let in': () => isThere(letIn.accounts.readAccount()),
    'return key': () => rowsOf(sql`select from return_keys where user_id = ${user_id}`),
    'own code': () => opens(code_text),
    'code of a device': () => opens(ofTablet),
    'code that lets in': () => opens(letsIn),
    calendar: () => serves(calendar_feed_url),
    'calendar of an event': () => serves(event_calendar_url),
    'address of the album': () => serves(download_url),
    link: () => isThere(app.as().links.openLink({ code: guests })),
    'session that adds photos': () => isThere(adder.gallery.readAllowance({ event_id })),
    'session that looks': () => album(looker),
    'session of a screen': () => album(wall),
    'event on offer': () => rowsOf(sql`select from events where id = ${event_id} and offered_to = ${user_id}`),
    'invitation to another event': () =>
      rowsOf(sql`select from invitations where event_id = ${other.id} and user_id = ${user_id} and status = 'open'`),
    seat: () => rowsOf(sql`select from answers where user_id = ${user_id}`),
    vote: () => rowsOf(sql`select from poll_votes where user_id = ${user_id}`),
    like: () => rowsOf(sql`select from photo_likes where user_id = ${user_id}`),
    'reaction to a comment': () => rowsOf(sql`select from comment_reactions where user_id = ${user_id}`),
    'reaction to a message': () => rowsOf(sql`select from message_reactions where user_id = ${user_id}`),
    'upload on its way': async () => {
      const offset = Number((await tus.head(upload)).headers.get('upload-offset'))
      return (await tus.patch(upload, offset, Buffer.alloc(10))).status === 204
    },
  }
  const ends: Record<Ending, () => Promise<unknown>> = {
    leaving: () => anna.events.leaveEvent({ event_id }),
    removal: () => rita.api.events.removeGuest({ event_id, user_id }),
    'sending away': () => rita.api.links.sendAwayByLink({ link_id }),
    'a block': async () => {
      await anna.people.block({ user_id: olivia.id })
      await anna.people.block({ user_id: rita.id })
    },
    'the end of its maker’s role': () => olivia.api.events.unmakeOrganizer({ event_id, user_id: rita.id }),
    'a device signed out': () => anna.accounts.removeDevice({ device_id: 'tablet' }),
    'signing out everywhere': () => anna.accounts.logout({ all_devices: true }),
    // The operator gives a password to a guest without one.
    'another password': () => sql`select end_sessions(${user_id}, null, false)`.execute(app.db),
    deletion: () => anna.privacy.deleteAccount({}),
    suspension: () => suspend(app.db, user_id),
    'the end of its link': () => Promise.all(links.map(({ id: link_id }) => rita.api.links.revokeLink({ link_id }))),
    'the expiry of its link': () =>
      sql`update event_links set expires_at = clock_timestamp() where id = any(${links.map(({ id }) => id)})`.execute(
        app.db,
      ),
  }
  return { things, ends }
}

const declared = Object.assign({}, ...slices.map(({ opens }) => opens)) as Record<string, readonly Ending[]>

test.each(endings)(
  '%s ends everything declared to end with it, and nothing else',
  { timeout: 120_000 },
  async ending => {
    const { things, ends } = await everything()
    expect(Object.keys(things).sort()).toEqual(Object.keys(declared).sort())
    const there = async () => {
      const found: string[] = []
      for (const [name, isLiving] of Object.entries(things)) if (await isLiving()) found.push(name)
      return found.sort()
    }
    expect(await there()).toEqual(Object.keys(things).sort())
    await ends[ending]()
    const stay = Object.keys(declared).filter(name => !declared[name]?.includes(ending))
    // Other processes learn it from the log, within a second.
    await vi.waitFor(async () => expect(await there()).toEqual(stay.sort()), { timeout: 10_000, interval: 300 })
  },
)

/** What operations open by the contract, tried in the file named here. */
const tried: Record<string, string> = {
  webhook: 'webhooks/webhooks.test.ts',
  'address of an export': 'server/test/revoked-links.test.ts',
}
/** Fields of replies that grant nothing to those who hold them later: pictures, and names of settings. */
const harmless =
  /(photo|avatar|preview|attachment|screen|display|poster|full|still|cover|motion|raw|live|video|picture|image|page|webhook|terms|print|qr|source|authorization)(_\w+)?_url$|^(url|vapid_public_key|reason_code|code)$/

const fieldsOf = (schema: object): string[] =>
  Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? [...(key === 'properties' ? Object.keys(value) : []), ...fieldsOf(value)]
      : [],
  )

test('every operation that hands out access for later says in the contract what it is, and its slice what ends it', () => {
  const known = new Set([...Object.keys(declared), ...Object.keys(tried)])
  const opened = operations.flatMap(({ opens = [] }) => opens)
  expect(opened.filter(name => !known.has(name))).toEqual([])
  // By tus, which is no operation.
  expect([...known].filter(name => !opened.includes(name))).toEqual(['upload on its way'])
  const unsaid = operations
    .filter(({ opens }) => !opens)
    .map(({ name, reply }) => [name, ...new Set(fieldsOf(z.toJSONSchema(reply, { unrepresentable: 'any' })))])
    .map(([name, ...fields]) => [
      name,
      fields.filter(field => /(_url|_key|_code|token|secret)$/.test(field) && !harmless.test(field)),
    ])
    .filter(([, fields]) => (fields?.length ?? 0) > 0)
  expect(unsaid).toEqual([])
})

/** Tables that name a person and grant no access: content, history, counts, and the contents of a session. */
const records = new Set([
  ...['users', 'guests', 'guest_lines', 'messages', 'comments', 'photos', 'attachments', 'announcements', 'polls'],
  ...[
    'answers_away',
    'marks_away',
    'links_sent_away',
    'photo_decisions',
    'changes',
    'media',
    'user_words',
    'idempotency_keys',
    'stored_bytes',
  ],
  ...[
    'chat_mutes',
    'event_notification_settings',
    'notification_settings',
    'mail_digests',
    'mails_asked',
    'ring_budgets',
  ],
  ...[
    'known_places',
    'audit_entries',
    'reports',
    'announcement_reads',
    'seen_marks',
    'told_moments',
    'notifications',
    'deliveries',
  ],
])
/** Tables whose rows grant access, tried above or in the file named here. */
const opening: Record<string, string> = {
  devices: 'session',
  return_keys: 'return key',
  account_transfers: 'own code',
  calendar_feeds: 'calendar',
  answers: 'seat',
  poll_votes: 'vote',
  photo_likes: 'like',
  comment_reactions: 'reaction to a comment',
  message_reactions: 'reaction to a message',
  upload_sessions: 'upload on its way',
  events: 'event on offer',
  invitations: 'invitation to another event',
  event_links: 'link',
  join_requests: 'events/members/join.test.ts',
  return_requests: 'events/returns/let-in-sessions.test.ts',
  webhooks: 'webhooks/webhooks.test.ts',
  login_options: 'accounts/recovery/recovery.test.ts',
  mailed_codes: 'accounts/recovery/recovery.test.ts',
  moved_emails: 'accounts/recovery/email-undo.test.ts',
  provider_flows: 'accounts/providers/provider-flows.test.ts',
  provider_proofs: 'accounts/providers/provider-flows.test.ts',
  account_exports: 'server/test/revoked-links.test.ts',
  album_selections: 'server/test/revoked-links.test.ts',
  push_addresses: 'notifications/delivery',
  friend_requests: 'people/blocks.test.ts',
  friendships: 'people/blocks.test.ts',
}

test('every table that names a person is declared: it grants access, or is a record', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and table_name = any(${Object.keys(tablesOf(slices))}::text[])
      and column_name ~ '(^|_)(user_id|owner_id|created_by|made_by|sent_by|invited_by|answered_by|viewer_id|offered_to)$'
    order by 1`.execute(app.db)
  const unknown = rows.map(({ name }) => name).filter(name => !records.has(name) && !(name in opening))
  expect(unknown).toEqual([])
})
