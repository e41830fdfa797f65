import type { Client } from 'pg'
import { bulk } from './bulk.ts'
import { dice, someGuestOf } from './people-of.ts'
import { albums, greatEvent, photosEach, type Size } from './size.ts'

/** Albums with likes and comments, interleaved in time; one long thread on the great album's first photo. */
export const fillGallery = (db: Client, size: Size): Promise<void> =>
  bulk(
    db,
    [
      'media',
      'galleries',
      'photos',
      'photo_quarters',
      'photo_likes',
      'comments',
      'comment_reactions',
      'comment_reaction_counts',
    ],
    async () => {
      await db.query(
        `insert into galleries (event_id, last_sequence)
       select e, case e when $1 then $2::int else ${photosEach} end from generate_series(1, $3::int) e`,
        [greatEvent, size.album, Math.min(albums, size.events)],
      )
      await db.query(
        `create temporary table album as
       select row_number() over (order by s, event_id) as id, event_id, s as sequence
       from galleries, generate_series(1, last_sequence) s`,
      )
      await db.query(
        `insert into media (id, event_id, owner_id, original_sha256, original_bytes, original_type, width, height, thumbhash,
         taken_at, variants) overriding system value
       select id, event_id, ${someGuestOf('event_id', 'id', size)}, ${pictureColumns('id')} from album order by id`,
      )
      await db.query(
        `insert into photos (id, event_id, sequence, media_id, taken_by, caption, likes_count, comments_count,
         last_comment_sequence, moment, created_at, updated_at) overriding system value
       select m.id, m.event_id, a.sequence, m.id, m.owner_id, case m.id % 4 when 0 then 'By the lake, late' end,
         m.id % 5, m.id % 3, m.id % 3, at - (m.id * 7919 % 86400) * interval '1 second', at, at
       from album a join media m using (id), lateral (select now() - interval '60 days' + m.id * interval '9 seconds' as at)
       order by m.id`,
      )
      await db.query(
        `insert into photo_quarters (event_id, quarter, photos)
       select event_id, floor(extract(epoch from moment) / 900), count(*) from photos group by 1, 2`,
      )
      await db.query(
        `insert into photo_likes (photo_id, user_id, created_at)
       select distinct on (p.id, u) p.id, ${someGuestOf('p.event_id', 'k', size)} as u, p.created_at + k * interval '1 minute'
       from photos p, generate_series(1, p.likes_count) k order by p.id, u`,
      )
      await db.query(
        'update photos set likes_count = (select count(*) from photo_likes l where l.photo_id = photos.id) where likes_count > 0',
      )
      await db.query(
        `insert into comments (photo_id, sequence, user_id, text, created_at, updated_at)
       select p.id, k, ${someGuestOf('p.event_id', 'p.id + k', size)}, ${remark('p.id + k')}, at, at
       from photos p, generate_series(1, p.comments_count) k,
         lateral (select p.created_at + k * interval '1 hour' as at)
       order by at`,
      )
      await fillThread(db, size)
    },
  )

/** On the photo with sequence 1: many comments, and many replies and reactions to the first one. */
const fillThread = async (db: Client, { thread, users }: Size) => {
  const { rows } = await db.query('select id from photos where event_id = $1 and sequence = 1', [greatEvent])
  const photo = rows[0].id
  const insert = (count: number, parent: string, first: string) =>
    db.query(
      `insert into comments (photo_id, parent_id, sequence, user_id, text, created_at, updated_at)
       select ${photo}, ${parent}, ${first} + k, 1 + ${dice('k', users - 1)}, ${remark('k')}, at, at
       from generate_series(1, ${count}) k, lateral (select now() - interval '20 days' + k * interval '1 second' as at)`,
    )
  const { rows: firsts } = await db.query(`select last_comment_sequence as first from photos where id = ${photo}`)
  const first = Number(firsts[0].first)
  await insert(thread, 'null', String(first))
  const comment = `(select id from comments where photo_id = ${photo} and sequence = ${first + 1} and parent_id is null)`
  const half = Math.floor(thread / 2)
  await insert(half, comment, '0')
  await db.query(`update comments set replies_count = ${half}, last_reply_sequence = ${half} where id = ${comment}`)
  await db.query(
    `update photos set comments_count = comments_count + ${thread + half},
       last_comment_sequence = last_comment_sequence + ${thread} where id = ${photo}`,
  )
  await db.query(
    `insert into comment_reactions (comment_id, sequence, user_id, reaction, created_at, updated_at)
     select ${comment}, u, u, '❤️', at, at
     from generate_series(1, ${Math.min(half, users)}) u,
       lateral (select now() - interval '10 days' + u * interval '1 second' as at)`,
  )
  await db.query(`
    insert into comment_reaction_counts (comment_id, reaction, count)
    select comment_id, reaction, count(*) from comment_reactions group by comment_id, reaction`)
  await db.query(`update comments set last_reaction_sequence = ${Math.min(half, users)} where id = ${comment}`)
}

/**
 * The columns of media from original_sha256 on, as for a phone's photo of 12 megapixels. There is no file behind it.
 */
export const pictureColumns = (id: string): string => {
  const sha256 = (salt: string) => `encode(sha256(('${salt}' || ${id})::bytea), 'hex')`
  return `${sha256('original')}, 4200000, 'image/jpeg', 4032, 3024, '1QcSHQRnh493V4dIh4eXh1h4kJUI', now(),
    jsonb_build_object(
      'display', jsonb_build_object('sha256', ${sha256('display')}, 'bytes', 610000, 'type', 'image/jpeg', 'width', 2048, 'height', 1536),
      'preview', jsonb_build_object('sha256', ${sha256('preview')}, 'bytes', 72000, 'type', 'image/jpeg', 'width', 640, 'height', 480))`
}

const remarks = [
  'What a night!',
  'I was there too',
  'Send me this one, please',
  'Who is that on the left?',
  '😂😂',
  'So beautiful 💛',
]

const remark = (of: string) =>
  `(array[${remarks.map(text => `'${text}'`).join(', ')}])[1 + ${dice(of, remarks.length)}]`
