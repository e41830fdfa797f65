import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { evening } from '../../test/party.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')

const clock = (moment: ReturnType<typeof sql>) =>
  sql`to_char((${moment}) at time zone e.timezone, 'YYYY-MM-DD HH24:MI')`
const entryAfter = (column: 'starts_after_ms' | 'ends_after_ms') =>
  sql`(select ${clock(sql`e.starts_at + p.${sql.ref(column)} * interval '1 ms'`)} from programme_entries p where p.event_id = e.id)`

/** Columns with a time of an event, as the clocks of the venue show it, and whether a copy has it too. */
const belonging = {
  'events.starts_at': { read: clock(sql`e.starts_at`), copied: true },
  'events.ends_at': { read: clock(sql`e.ends_at`), copied: true },
  'events.over_at': { read: clock(sql`e.over_at`), copied: true },
  'programme_entries.starts_after_ms': { read: entryAfter('starts_after_ms'), copied: true },
  'programme_entries.ends_after_ms': { read: entryAfter('ends_after_ms'), copied: true },
  'galleries.reveals_at': {
    read: sql`(select ${clock(sql`g.reveals_at`)} from galleries g where g.event_id = e.id)`,
    copied: true,
  },
  'group_chats.read_only_from': {
    read: sql`(select ${clock(sql`c.read_only_from`)} from group_chats c where c.event_id = e.id)`,
    copied: true,
  },
  'event_links.expires_at': {
    read: sql`(select ${clock(sql`l.expires_at`)} from event_links l where l.event_id = e.id)`,
    copied: false,
  },
}

/** They say for which beginning somebody was told or asked: `reminders.test.ts` and `answers.test.ts` try them. */
const forOneBeginning = ['told_moments.moment', 'asked_answers.starts_at', 'event_moves.starts_at']
/** Somebody chose them apart from the event. */
const apart = ['polls.closes_at', 'event_notification_settings.muted_until', 'notification_settings.muted_until']
/** Columns of a session, a file, a job, a mail or an account. */
const ofOthers = [
  ...['account_exports', 'account_transfers', 'devices', 'mailed_codes', 'provider_flows', 'provider_proofs'],
  ...['return_requests', 'jobs', 'job_schedule', 'push_addresses', 'ring_budgets', 'storage_reports', 'mail_digests'],
  ...[
    'upload_sessions',
    'users',
    'videos',
    'webhook_deliveries',
    'webhook_trickles',
    'webhooks',
    'media',
    'migrations',
  ],
  ...['unnotified_changes', 'notifications', 'damaged_files', 'removed_files', 'calendar_feeds', 'processes'],
]
const happened =
  /\.((created|updated|deleted|hidden|edited|read|answered|sent|withdrawn|revoked|erased|asked|joined|ended|seen|undone|told|photos_told|waiting_told|reminded|last_used|decided|added|voted|moved|resolved|pinned|planned|revealed|paused|wrong_pin|last_activity|links_ended|on_wall)_at|since|flow_since|photos_at_once_since|moment)$/

test('every time in the database moves with its event, or is known to be something else', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (data_type like 'timestamp%' or data_type in ('date', 'interval') or column_name like '%\\_ms')`.execute(
    app.db,
  )
  const named = new Set([...Object.keys(belonging), ...forOneBeginning, ...apart])
  const unknown = rows
    .map(({ name }) => name)
    .filter(name => !named.has(name) && !ofOthers.includes(name.split('.')[0] as string) && !happened.test(name))
  expect(unknown).toEqual([])
})

/** A weekend before the one on which the clocks are put back in Berlin: from there, all but the beginning is beyond it. */
const plan = async () => {
  const { id: event_id, group_chat_id } = await olivia.extra.events.saveEvent(
    evening({
      event_starts_at: '2030-10-20T18:00:00+02:00',
      event_ends_at: '2030-10-21T06:00:00+02:00',
      event_timezone: 'Europe/Berlin',
      event_reveals_at: '2030-10-22T10:00:00+02:00',
      event_programme: [
        {
          programme_starts_at: '2030-10-21T03:30:00+02:00',
          programme_ends_at: '2030-10-21T04:30:00+02:00',
          programme_title: 'Midnight snack',
        },
      ],
    }),
  )
  await olivia.api.chats.endChat({ group_chat_id, from: '2030-10-23T12:00:00+02:00' })
  await olivia.api.links.makeLink({ event_id, expires_at: '2030-10-21T06:00:00+02:00' })
  return event_id
}
const timesOf = async (id: number) => {
  const columns = Object.entries(belonging).map(([name, { read }]) => sql`${sql.lit(name)}::text, ${read}`)
  const { rows } = await sql<{ times: Record<string, string | null> }>`
    select json_build_object(${sql.join(columns)}) as times from events e where e.id = ${id}`.execute(app.db)
  return rows[0]?.times ?? {}
}
const sixDaysMs = 6 * 86_400_000
const sixDaysLater = (wall: string) =>
  new Date(Date.parse(`${wall.replace(' ', 'T')}Z`) + sixDaysMs).toISOString().slice(0, 16).replace('T', ' ')
const event_starts_at = '2030-10-26T18:00:00+02:00'

type Act = { act(event_id: number): Promise<number>; later: boolean; made?: true }
const acts: Record<string, Act> = {
  move: {
    act: async event_id => (await olivia.api.events.saveEvent({ event_id, event_starts_at })).id,
    later: true,
  },
  copy: {
    act: async event_id => (await olivia.api.events.copyEvent({ event_id, event_starts_at })).id,
    later: true,
    made: true,
  },
  rename: {
    act: async event_id => (await olivia.api.events.saveEvent({ event_id, event_name: 'Once more' })).id,
    later: false,
  },
  cancel: { act: async event_id => (await olivia.api.events.cancelEvent({ event_id })).id, later: false },
  delete: {
    act: async event_id => {
      await olivia.api.events.deleteEvent({ event_id })
      return event_id
    },
    later: false,
  },
  restore: {
    act: async event_id => {
      await olivia.api.events.deleteEvent({ event_id })
      return (await olivia.api.events.restoreEvent({ event_id })).id
    },
    later: false,
  },
}

test.each(Object.entries(acts))('%s: each time of an event is where it belongs', async (_, { act, later, made }) => {
  const event_id = await plan()
  const before = await timesOf(event_id)
  expect(Object.values(before)).not.toContain(null)
  const after = await timesOf(await act(event_id))
  for (const [name, { copied }] of Object.entries(belonging)) {
    const wall = later ? sixDaysLater(before[name] as string) : before[name]
    expect([name, after[name]]).toEqual([name, made && !copied ? null : wall])
  }
  if (made) expect(await timesOf(event_id)).toEqual(before)
})

test('what the same save says of a time is so, before the beginning as well', async () => {
  const event_id = await plan()
  const said = { event_ends_at: '2030-10-27T05:00:00+01:00', event_reveals_at: '2030-10-26T12:00:00+02:00' }
  await olivia.api.events.saveEvent({ event_id, event_starts_at, ...said, event_programme: [] })
  expect(await timesOf(event_id)).toMatchObject({
    'events.ends_at': '2030-10-27 05:00',
    'galleries.reveals_at': '2030-10-26 12:00',
    'programme_entries.starts_after_ms': null,
    'group_chats.read_only_from': '2030-10-29 12:00',
    'event_links.expires_at': '2030-10-27 05:00',
  })
})

test('a moment that is over stays over: photos stay shown, the chat stays ended, the link stays closed', async () => {
  const event_id = await plan()
  const { group_chat_id } = await olivia.api.events.readEvent({ event_id })
  await olivia.api.events.saveEvent({ event_id, event_photos_shown: 'at_once' })
  await olivia.api.chats.endChat({ group_chat_id })
  await sql`update event_links set expires_at = now() - interval '1 minute' where event_id = ${event_id}`.execute(
    app.db,
  )
  await sql`
    update events set starts_at = now() - interval '2 days', ends_at = (select expires_at from event_links where event_id = ${event_id})
    where id = ${event_id}`.execute(app.db)
  await olivia.api.events.saveEvent({ event_id, event_starts_at })
  const { extra } = await olivia.extra.events.readEvent({ event_id })
  expect(extra).toMatchObject({ event_photos_shown: 'at_once', event_revealed_at: expect.any(String) })
  expect((await olivia.api.chats.readChat({ group_chat_id })).group_chat_status).toBe(2)
  const { data } = await olivia.api.links.listLinks({ event_id, page: 1, page_length: 1 })
  expect(data[0]?.link_status).toBe('expired')
})
