import Fastify from 'fastify'
import { openBearers } from './bearer.ts'
import { pool, sendCompressed, serveOn } from './ceiling.ts'
import { envelope, media, minimalUser, pictureExtra, seenUser, times, videoExtra } from './json.ts'

/** A page of messages as written by hand: the viewer, then one query that proves membership and builds the JSON. */

const reactions = `coalesce((
  select json_agg(json_build_object('id', r->>'id', 'message_id', m.id::text, 'message_reaction', r->>'emoji',
    'message_reaction_count', r->>'count', 'created_at', r->>'created_at', 'updated_at', r->>'updated_at'))
  from jsonb_array_elements(m.reactions) r), '[]')`

/** Built once per page, because fifty messages have mostly the same readers. */
const readers = `
  select s.user_id, s.seen_sequence, json_build_object('user', ${seenUser('u')}) as shown
  from chat cross join lateral (
    select * from seen_marks s where s.group_chat_id = chat.id and s.seen_sequence > chat.last_sequence - $3 - $4
    order by s.seen_sequence desc, s.user_id limit 101
  ) s join users u on u.id = s.user_id order by s.seen_sequence desc, s.user_id`

const seens = `coalesce((
  select json_agg(shown) from (
    select shown from readers s where s.seen_sequence >= m.sequence and s.user_id <> m.user_id limit 100) s), '[]')`

const attachments = `case when m.attachments_count = 0 then '[]' else coalesce((
  select json_agg(json_build_object('id', a.id, 'message_attachment_url', ${media('a.media_id', 'full')},
    'message_attachment_added_to_album', exists (
      select from photos p where p.attachment_id = a.id and p.deleted_at is null),
    'user', ${minimalUser('u')}, ${times('a')}, 'extra', json_build_object(${pictureExtra('x')}, ${videoExtra('v')},
      'preview_url', ${media('a.media_id', 'preview')}, 'message_id', a.message_id,
      'may', json_build_object('delete', chat.organizes or a.user_id = $2, 'add_to_album', not exists (
        select from photos p where p.attachment_id = a.id and p.deleted_at is null)))) order by a.id)
  from attachments a join users u on u.id = a.user_id join media x on x.id = a.media_id
    left join videos v on v.media_id = x.id where a.message_id = m.id and a.deleted_at is null), '[]') end`

const blocked = (author: string) =>
  `(not chat.organizes and exists (select from blocks b where b.blocker_id = $2 and b.blocked_id = ${author}))`

const extra = `json_build_object(
  'sequence', m.sequence, 'deleted', m.deleted_at is not null, 'edited', m.edited_at is not null,
  'my_reactions', case when m.reactions is null then '[]' else coalesce((
    select json_agg(r.emoji order by r.id) from message_reactions r where r.message_id = m.id and r.user_id = $2), '[]') end,
  'hidden', false, 'blocked', ${blocked('m.user_id')}, 'quote_blocked', coalesce(${blocked('p.user_id')}, false),
  'may', json_build_object('update', m.user_id = $2, 'delete', chat.organizes or m.user_id = $2, 'react', true,
    'hide', chat.organizes))`

const text = `
  with chat as (
    select c.id, c.last_sequence, g.role <> 'guest' as organizes from group_chats c
    join guests g on g.event_id = c.event_id and g.user_id = $2 and g.ended_at is null where c.id = $1
  ), readers as materialized (${readers})
  select (select count(*)::int from chat) as member, (select last_sequence - $3 from chat)::int as count, coalesce(json_agg(json_build_object(
    'id', m.id::text, 'group_chat_id', m.group_chat_id::text, 'message_content', m.content, 'user', ${minimalUser('author')},
    'replied_to', case when p.id is not null then json_build_object('id', p.id::text, 'group_chat_id', p.group_chat_id::text,
      'message_content', p.content, ${times('p')}, 'user', ${minimalUser('pu')}) end,
    'seens', ${seens}, 'reactions', ${reactions}, 'attachments', ${attachments}, ${times('m')},
    'extra', ${extra}
  ) order by m.sequence desc), '[]')::text as items
  from chat
  join messages m on m.group_chat_id = chat.id and m.sequence <= chat.last_sequence - $3
    and m.sequence > chat.last_sequence - $3 - $4
  join users author on author.id = m.user_id
  left join messages p on p.id = m.reply_to_id left join users pu on pu.id = p.user_id`

const db = pool()
const viewerOf = openBearers(db)
const server = Fastify()
server.get<{ Querystring: Record<string, string> }>('/api/message/list', async (request, reply) => {
  const { group_chat_id: chat, page = '1', page_length: length = '50' } = request.query
  const values = [chat, await viewerOf(request), (Number(page) - 1) * Number(length), length]
  const { rows } = await db.query({ name: 'messages', text, values })
  if (!rows[0].member)
    return reply.code(400).send({ error_message: 'The user is neither a guest nor an organizer of the event' })
  return sendCompressed(reply, envelope(request.url, Number(page), Number(length), rows[0].items, rows[0].count))
})
await serveOn(server)
