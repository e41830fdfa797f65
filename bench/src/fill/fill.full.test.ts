import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../../server/test/app.ts'
import { fill } from './fill.ts'
import { tokenOf } from './sessions.ts'
import { sizes } from './size.ts'

const size = { ...sizes.small, users: 1200, events: 40, messages: 6000, crowd: 100, album: 300, thread: 100, asked: 50 }
const { url: own } = await cloneDatabase()
/** Bulk filling disables triggers, which requires a superuser. */
const url = inject('superuser') + own.slice(own.lastIndexOf('/'))
const client = new pg.Client({ connectionString: url })
await client.connect()
afterAll(() => client.end())

const count = async (query: string, values: unknown[] = []) =>
  Number((await client.query(`select count(*) from ${query}`, values)).rows[0].count)

test('the filled database is one that the service could have written', async () => {
  await fill(url, size)
  expect(await count('messages')).toBe(6000)

  const wrong: Record<string, string> = {
    'a chat whose sequence has a hole': `(select group_chat_id from messages group by 1
      having max(sequence) <> count(*) or min(sequence) <> 1) x`,
    'a chat whose last message is another': `group_chats c where last_sequence > 0 and not exists (select from messages m
      where m.id = c.last_message_id and m.group_chat_id = c.id and m.sequence = c.last_sequence)`,
    'a message of somebody outside': `messages m where not exists (select from guests g join group_chats c using (event_id)
      where c.id = m.group_chat_id and g.user_id = m.user_id)`,
    'a reply to what is elsewhere or later': `messages m where reply_to_id is not null and not exists (select from messages p
      where p.id = m.reply_to_id and p.group_chat_id = m.group_chat_id and p.sequence < m.sequence)`,
    'reactions unlike their recount': `messages m where m.reactions is distinct from (
      select jsonb_agg(jsonb_build_object('id', id, 'emoji', emoji, 'count', n, 'created_at', m.reactions->0->>'created_at',
        'updated_at', m.reactions->0->>'updated_at') order by id)
      from (select min(id) as id, emoji, count(*) as n from message_reactions r where r.message_id = m.id group by emoji) r)`,
    'attachments unlike their count': `messages m where attachments_count <>
      (select count(*) from attachments a where a.message_id = m.id and a.group_chat_id = m.group_chat_id)`,
    'a mark beyond the end':
      'seen_marks s join group_chats c on c.id = s.group_chat_id where seen_sequence > last_sequence',
    'a mark of somebody outside': `seen_marks s where not exists (select from guests g where g.event_id = s.group_chat_id
      and g.user_id = s.user_id)`,
    'a photo whose likes are counted wrong': `photos p where likes_count <>
      (select count(*) from photo_likes l where l.photo_id = p.id)`,
    'a photo whose comments are counted wrong': `photos p where comments_count <>
      (select count(*) from comments c where c.photo_id = p.id) or last_comment_sequence <>
      (select count(*) from comments c where c.photo_id = p.id and parent_id is null)`,
    'an event whose guests are counted wrong': `events e where guests_count <>
      (select count(*) from guests g where g.event_id = e.id)`,
    'a guest who cannot be found': `guests g join users u on u.id = g.user_id where not exists (select from guest_lines l
      where l.event_id = g.event_id and l.user_id = g.user_id and l.found_by = line_of(u))`,
    'a friend who cannot be found': `friendships f join users u on u.id = f.friend_id where f.found_by <> line_of(u)
      or not exists (select from friendships o where o.user_id = f.friend_id and o.friend_id = f.user_id)`,
    'a guest who asks to join': 'join_requests join guests using (event_id, user_id)',
    'a suspended guest': 'guests g join users u on u.id = g.user_id where u.status = 3',
    'a row that the next one would collide with': `media where id >= (select last_value from media_id_seq)`,
  }
  for (const [fault, query] of Object.entries(wrong)) expect([fault, await count(query)]).toEqual([fault, 0])

  expect(await count('messages where reply_to_id is not null')).toBeGreaterThan(500)
  expect(await count('messages where reactions is not null')).toBeGreaterThan(500)
  expect(await count('attachments')).toBeGreaterThan(200)
  expect(await count('seen_marks')).toBeGreaterThan(500)
  expect(await count('devices where user_id = 21 and token_hash = sha256($1::bytea)', [tokenOf(21)])).toBe(1)
})
