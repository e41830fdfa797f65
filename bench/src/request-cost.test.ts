import { operations } from '@afterglow/contract/operations'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { msPerMinute, msPerMinuteMax } from '../../server/test/cost.ts'
import { fill } from './fill/fill.ts'
import { tokenOf } from './fill/sessions.ts'
import { greatEvent, sizes } from './fill/size.ts'

/* Each read of a signed-in person has a limited cost in a very large world: see `server/test/request-cost.test.ts`. */

const size = { ...sizes.small, users: 5000, longEvery: 2, crowd: 2500, album: 4000, thread: 2000, asked: 1000 }
const me = 1

/** Rows that `fill` lacks: every list of one organizer gets many pages. */
const extras = `
  update guests set role = 'organizer' where event_id = ${greatEvent} and user_id = ${me};
  update users set operator = true where id = ${me};
  insert into answers (event_id, user_id, answer, plus, plus_names, note, seated)
    select ${greatEvent}, user_id, 'going', 2, repeat('Name, ', 80), repeat('Note ', 90), true from guests where event_id = ${greatEvent};
  insert into audit_entries (event_id, actor_id, act, subject_id, user_id, reason)
    select ${greatEvent}, ${me}, 'guest_removed', n, n, repeat('why ', 40) from generate_series(2, 3000) n;
  insert into announcements (event_id, user_id, text)
    select ${greatEvent}, ${me}, repeat('We meet at eight. ', 27) from generate_series(1, 500);
  insert into friend_requests (asker_id, asked_id) select n, ${me} from generate_series(3000, 4500) n;
  insert into blocks (blocker_id, blocked_id) select ${me}, n from generate_series(4600, 4999) n;
  insert into reports (reporter_id, type, target_id, event_id, reason, about_user_id)
    select n, 'user', n, ${greatEvent}, repeat('Because. ', 200), n from generate_series(2, 1000) n;
  insert into events (name, starts_at, timezone, created_by)
    select 'Invited ' || n, now() + interval '9 days', 'UTC', 2 from generate_series(1, 500) n;
  insert into group_chats (event_id) select id from events where name like 'Invited %';
  insert into invitations (event_id, user_id, invited_by)
    select id, ${me}, 2 from events where name like 'Invited %';
  insert into event_links (event_id, code_hash, nonce, created_by, role)
    select ${greatEvent}, sha256(('link ' || n)::bytea), '\\x00', ${me}, 'guest' from generate_series(1, 200) n;
  insert into links_sent_away (event_id, link_id, since, people, closed_link, sent_by)
    select ${greatEvent}, id, now(), 9, true, ${me} from event_links;
  update users set status = 5, first_name = 'Anna', last_name = '' where id in (
    select user_id from guests where event_id = ${greatEvent} and role = 'guest' order by user_id desc limit 200);
  insert into return_requests (event_id, first_name, last_name, platform, code_hash, expires_at)
    select ${greatEvent}, 'Anna', n::text, 'web', sha256(('return ' || n)::bytea), now() + interval '1 hour' from generate_series(1, 500) n;
  insert into notifications (user_id, kind, actor_id, event_id, subject_id, tag, text_values, link, reasons)
    select ${me}, 'mention', 2, ${greatEvent}, n, 'tag ' || n, jsonb_build_object('actor', 'Anna', 'event', 'Evening', 'text', repeat('w ', 90)), '/', '[]'
    from generate_series(1, 5000) n;
  insert into deliveries (notification_id, device_row, device_id, platform, way, state, reasons)
    select (select max(id) from notifications), id, 'phone', 'android', 'push', 'sent', '[]' from devices order by id limit 50;
  update messages set card = 'poll' where group_chat_id = ${greatEvent} and sequence = 2;
  insert into polls (message_id, choices, multiple, anonymous)
    select id, '{Here,There}', false, false from messages where group_chat_id = ${greatEvent} and sequence = 2;
  insert into poll_votes (message_id, choice, user_id) select p.message_id, 1, g.user_id from polls p, guests g where g.event_id = ${greatEvent};
  insert into message_reactions (message_id, user_id, emoji)
    select m.id, g.user_id, '🎉' from messages m, guests g
    where m.group_chat_id = ${greatEvent} and m.sequence = 1 and g.event_id = ${greatEvent};
  update messages set reactions = (select jsonb_agg(to_jsonb(r)) from (select min(id) as id, emoji, count(*) as count,
      '2026-01-01T00:00:00.000Z' as created_at, '2026-01-01T00:00:00.000Z' as updated_at
    from message_reactions where message_id = messages.id group by emoji) r) where group_chat_id = ${greatEvent} and sequence = 1;
  insert into photo_likes (photo_id, user_id) select p.id, g.user_id from photos p, guests g
    where p.event_id = ${greatEvent} and p.sequence = 1 and g.event_id = ${greatEvent} on conflict do nothing;
  update photos set likes_count = (select count(*) from photo_likes where photo_id = photos.id) where event_id = ${greatEvent} and sequence = 1;
  update photos set deleted_at = now() where event_id = ${greatEvent} and sequence between 100 and 600;
  insert into webhooks (event_id, url, kinds, nonce, taken_to, made_by) select ${greatEvent}, 'https://example.com/' || n, '{}', '\\x00', 0, ${me} from generate_series(1, 20) n;
  insert into webhook_deliveries (webhook_id, kind, event_id, subject_id, actor_id, happened_at)
    select 1, 'message.created', ${greatEvent}, n, ${me}, now() from generate_series(1, 2000) n;
  insert into account_exports (user_id, state) select ${me}, 'failed' from generate_series(1, 200);
  insert into devices (user_id, device_id, platform, timezone, token_hash, token_expires_at)
    select ${me}, 'device ' || n, 'web', 'UTC', sha256(('device ' || n)::bytea), now() + interval '9 days' from generate_series(1, 200) n;
  analyze`

const app = await openTestApp(
  {},
  {
    checkReplies: false,
    async fill(databaseUrl) {
      // Triggers are disabled meanwhile, which requires a superuser.
      const url = inject('superuser') + databaseUrl.slice(databaseUrl.lastIndexOf('/'))
      await fill(url, size)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`set session_replication_role = replica; ${extras}`)
      await client.end()
    },
  },
)
const token = tokenOf(me)
const { cursor } = await app.as(token).notifications.syncRealtime({})

const client = new pg.Client({ connectionString: app.databaseUrl })
await client.connect()
const idOf = async (query: string) => Number((await client.query(query)).rows[0].id)
const ofFirst = `event_id = ${greatEvent} and sequence = 1`
const event_photo_id = await idOf(`select id from photos where ${ofFirst}`)
const event_photo_comment_id = await idOf(
  `select max(parent_id) as id from comments where photo_id = ${event_photo_id}`,
)
const values: Record<string, string | number> = {
  ...{ event_id: greatEvent, group_chat_id: greatEvent, event_photo_id, event_photo_comment_id, user_id: 2 },
  ...{ page: 1, page_length: 100, filter: 'upcoming', by: 'added', name: 'a', text: 'the', poll_choice_id: 1 },
  comment_reaction_id: await idOf(
    `select min(id) as id from comment_reactions where comment_id = ${event_photo_comment_id}`,
  ),
  message_id: await idOf(`select id from messages where group_chat_id = ${greatEvent} and sequence = 1`),
  notification_id: await idOf('select max(id) as id from notifications'),
  account_export_id: await idOf('select min(id) as id from account_exports'),
  webhook_id: 1,
}
const poll = await idOf('select message_id as id from polls')
await client.query(`
  insert into changes (kind, audience, event_id, actor_id, subject_id)
  select 'message.created', 'event', m.group_chat_id, m.user_id, m.id from messages m where m.group_chat_id = ${greatEvent}`)
await client.end()

/** Beside the required fields. */
const more: Record<string, readonly Record<string, string | number>[]> = {
  listVoters: [{ message_id: poll }],
  syncRealtime: [{}, { cursor }],
  listPhotos: [{}, { page: 39 }, { waiting: 1 }],
  listGuests: [{}, { name: 'a' }, { page: 25 }],
  listMessages: [{ message_id: 0 }, {}],
}

type Field = (typeof operations)[number]['input']
const shapeOf = (input: Field) => ('shape' in input ? input.shape : {}) as Record<string, Field>

const reads = operations
  .filter(({ open, at }) => !open && at[0]?.[0] === 'GET')
  .flatMap(({ name, at, input, perMinute, extra }) => {
    const fields = Object.entries(shapeOf(input))
    const required = fields.flatMap(([field, schema]) =>
      schema.safeParse(undefined).success ? [] : [[field, values[field]] as const],
    )
    return (more[name] ?? [{}]).map(given => {
      const asked = { ...Object.fromEntries(required), ...given, ...(extra && { include: 'extra' }) }
      let path = at[0]?.[1] ?? ''
      const query = new URLSearchParams()
      for (const [field, value] of Object.entries(asked)) {
        if (path.includes(`{${field}}`)) path = path.replace(`{${field}}`, String(value))
        else query.set(field, String(value))
      }
      return [`${name} ${JSON.stringify(given)}`, `${app.url}/${path}?${query}`, perMinute] as const
    })
  })

test('every read has its large world here', () => {
  expect(reads.map(([, url]) => url).filter(url => url.includes('undefined'))).toEqual([])
})

test.each(reads)('%s', async (_, url, perMinute) => {
  expect(await msPerMinute({ url, perMinute, token })).toBeLessThan(msPerMinuteMax)
})
