import type { Client } from 'pg'
import { bulk } from './bulk.ts'
import { pictureColumns } from './gallery.ts'
import { dice, someGuestOf } from './people-of.ts'
import { greatEvent, type Size } from './size.ts'

const tables = ['messages', 'attachments', 'message_reactions', 'seen_marks', 'media']

/**
 * Chats with replies, reactions, pictures and seen marks. Messages of all chats interleave, as in reality, so that a
 * page of one chat is scattered over the table.
 */
export const fillChats = (db: Client, size: Size): Promise<void> =>
  bulk(db, tables, async () => {
    await fillMessages(db, size)
    await db.query(
      `insert into message_reactions (id, message_id, user_id, emoji, created_at) overriding system value
       select ${reactionsEach} * m.id + k, m.id, ${reactor('k', size)}, ${emojiOf('k')}, m.created_at
       from messages m, generate_series(0, ${reactionsOf('m.id')} - 1) k
       where m.reactions is not null`,
    )
    await fillAttachments(db)
    await db.query(
      `update group_chats c set last_sequence = m.last, last_message_id = m.id, last_activity_at = m.at,
         last_attachment_sequence = (select count(*) from attachments a where a.group_chat_id = c.id)
       from (select group_chat_id, max(sequence) as last, max(id) as id, max(created_at) as at from messages group by 1) m
       where m.group_chat_id = c.id`,
    )
    // Seven in ten have opened the chat; half of those are up to date, the others a page or two behind.
    await db.query(
      `insert into seen_marks (group_chat_id, user_id, seen_sequence, seen_at)
       select c.id, g.user_id,
         greatest(1, c.last_sequence - case ${dice('g.user_id + c.id', 2, 1)} when 0 then 0 else ${dice('g.user_id + c.id', 80, 2)} end),
         c.last_activity_at
       from group_chats c join guests g on g.event_id = c.event_id and g.joined_at < now() - interval '85 days'
       where c.last_sequence > 0 and ${dice('g.user_id + c.id', 10)} < 7
       order by c.id, g.user_id`,
    )
    await db.query('analyze group_chats')
  })

/**
 * Message n belongs to the great chat if `longEvery` divides n; the others take turns. So the ID of any message of a
 * chat can be calculated, which makes replies cheap to write.
 */
const fillMessages = (db: Client, size: Size) => {
  const { messages, longEvery, events } = size
  const others = events - 1
  const id = (chat: string, sequence: string) => {
    const turn = `((${sequence} - 1) * ${others} + ${chat} - 2)`
    return `case when ${chat} = ${greatEvent} then ${sequence} * ${longEvery} else ${turn} + ${turn} / ${longEvery - 1} + 1 end`
  }
  return db.query(
    `insert into messages (id, group_chat_id, sequence, user_id, reply_to_id, created_at, updated_at, attachments_count,
       content, reactions) overriding system value
     select n, chat, sequence, ${someGuestOf('chat', dice('n', 20, 1), size)},
       case when ${dice('n', 5, 2)} = 0 and sequence > 30 then ${id('chat', `(sequence - 1 - ${dice('n', 29, 3)})`)} end,
       at, at, ${attachmentsOf('n')},
       substr($1, 1 + (${dice('n', story.length - 200, 4)})::int, 12 + (${dice('n', 140, 5)})::int)
         || case when ${dice('n', 10, 6)} = 0 then ' kiosk' || ${dice('n', 5000, 7)} else '' end,
       ${reactionsColumn}
     from generate_series(1, ${messages}) n,
       lateral (select n - 1 - n / ${longEvery} as turn) other,
       lateral (select case when n % ${longEvery} = 0 then ${greatEvent} else 2 + turn % ${others} end as chat,
         case when n % ${longEvery} = 0 then n / ${longEvery} else turn / ${others} + 1 end as sequence) place,
       lateral (select date_trunc('milliseconds', now()) - interval '60 days'
         + n * (interval '60 days' / ${messages}) as at) time`,
    [story],
  )
}

const fillAttachments = async (db: Client) => {
  const { rows } = await db.query('select coalesce(max(id), 0)::int as last from media')
  await db.query(
    `create temporary table hung as
     select row_number() over (order by m.id, k) as id, m.id as message_id, m.group_chat_id, m.user_id, m.created_at,
       row_number() over (partition by m.group_chat_id order by m.id, k) as sequence
     from messages m, generate_series(1, m.attachments_count) k where m.attachments_count > 0`,
  )
  await db.query(
    `insert into media (id, event_id, owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash,
       taken_at, variants) overriding system value
     select ${rows[0].last} + id, group_chat_id, user_id, ${pictureColumns('id')} from hung order by id`,
  )
  await db.query(
    `insert into attachments (id, group_chat_id, sequence, message_id, user_id, media_id, created_at, updated_at)
       overriding system value
     select id, group_chat_id, sequence, message_id, user_id, ${rows[0].last} + id, created_at, created_at
     from hung order by id`,
  )
}

/** One message in twenty carries a picture, a third of those two. */
const attachmentsOf = (n: string) =>
  `case when ${dice(n, 20, 8)} > 0 then 0 when ${dice(n, 3, 9)} > 0 then 1 else 2 end`

const reactionsEach = 8
/** One message in seven has reactions from one to five people: hearts from the first two, laughter from the others. */
const reactionsOf = (n: string) => `case when ${dice(n, 7, 10)} > 0 then 0 else 1 + ${dice(n, 5, 11)} end`
const emojiOf = (k: string) => `case when ${k} < 2 then '❤️' else '😂' end`
// Two apart, so that the next guest, who replaces a suspended one, never reacts twice.
const reactor = (k: string, size: Size) => someGuestOf('m.group_chat_id', `(m.id + 2 * ${k})`, size)

const reactionOf = (offset: number, emoji: string, count: string) =>
  `jsonb_build_object('id', ${reactionsEach} * n + ${offset}, 'emoji', '${emoji}', 'count', ${count},
    'created_at', ${isoTime('at')}, 'updated_at', ${isoTime('at')})`
const isoTime = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const reactionsColumn = `case
  when ${reactionsOf('n')} = 0 then null
  when ${reactionsOf('n')} < 3 then jsonb_build_array(${reactionOf(0, '❤️', reactionsOf('n'))})
  else jsonb_build_array(${reactionOf(0, '❤️', '2')}, ${reactionOf(2, '😂', `${reactionsOf('n')} - 2`)}) end`

const story = `Who brings the speakers tonight? I left mine at the lake house last summer and nobody has seen them since.
The train is late again, so start without us, we will walk from the station and bring bread, olives and the good cheese.
Did anyone take a picture of the sunset? It was pink and green for a minute, and then the rain came and we all ran.
Happy birthday, Lucía! See you at eight, the door code is the same as always, and please do not wake the neighbours.
That photo of grandma dancing on the table is the best thing I have seen this year, print it, frame it, hang it up.
Who is driving home later? There are two seats in our car if you do not mind the dog, she sleeps the whole way anyway.
Pasta or paella for Sunday? Vote before noon, the market closes early and the fish is gone by ten if we are lucky.
I have the tickets, the blankets and the lamp, but the corkscrew is missing, and without it we may as well stay home.
The band plays until midnight, afterwards there is a fire on the beach, bring a jacket because it gets cold and windy.`
