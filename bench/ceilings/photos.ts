import Fastify from 'fastify'
import { openBearers } from './bearer.ts'
import { pool, sendCompressed, serveOn } from './ceiling.ts'
import { envelope, media, minimalUser, pictureExtra, time, times, videoExtra } from './json.ts'

/** A page of photos as written by hand: the viewer, then one query that proves membership and builds the JSON. */

const text = `
  with gallery as (
    select e.id, g.role <> 'guest' as organizes from events e join guests g on g.event_id = e.id and g.user_id = $2 and g.ended_at is null
    where e.id = $1 and e.deleted_at is null
  ), page as (
    select p.*, gallery.organizes from gallery join photos p on p.event_id = gallery.id
    where p.deleted_at is null order by p.sequence desc offset $3 limit $4 + 1
  ), numbered as (select *, row_number() over (order by sequence desc) as n from page)
  select (select count(*)::int from gallery) as member, count(*)::int, coalesce(json_agg(json_build_object(
    'id', p.id::text, 'event_id', p.event_id::text,
    'event_photo_url', ${media('p.media_id', 'full')}, 'event_photo_preview_url', ${media('p.media_id', 'preview')},
    'event_photo_likes_count', p.likes_count::text, 'event_photo_comments_count', p.comments_count::text,
    'liked', exists (select from photo_likes l where l.photo_id = p.id and l.user_id = $2),
    'taken_by', ${minimalUser('u')}, ${times('p')}, 'extra', json_build_object(${pictureExtra('x')},
      'caption', p.caption, 'alt_text', p.alt_text, ${videoExtra('v')},
      'taken_at', ${time('x.taken_at')}, 'place', null, 'motion_url', null, 'raw', null, 'live', null,
      'same_as', (select s.id::text from photos s where s.id = p.same_as and s.deleted_at is null), 'hidden', false, 'waiting', false, 'photographer', false, 'sealed', false,
      'may', json_build_object('comment', true, 'update', p.taken_by = $2, 'delete', p.organizes or p.taken_by = $2,
        'hide', p.organizes))
  ) order by p.n) filter (where p.n <= $4), '[]')::text as items
  from numbered p join users u on u.id = p.taken_by join media x on x.id = p.media_id
    left join videos v on v.media_id = x.id`

const db = pool()
const viewerOf = openBearers(db)
const server = Fastify()
type PageRequest = { Params: { event_id: string }; Querystring: Record<string, string> }
server.get<PageRequest>('/api/gallery/photos/:event_id', async (request, reply) => {
  const { page = '1', page_length: length = '50' } = request.query
  const values = [request.params.event_id, await viewerOf(request), (Number(page) - 1) * Number(length), Number(length)]
  const { rows } = await db.query({ name: 'photos', text, values })
  if (!rows[0].member)
    return reply.code(400).send({ error_message: 'The user is neither a guest nor an organizer of the event' })
  return sendCompressed(reply, envelope(request.url, Number(page), Number(length), rows[0].items, rows[0].count))
})
await serveOn(server)
