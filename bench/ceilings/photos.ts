import Fastify from 'fastify'
import { openBearers } from './bearer.ts'
import { pool, serveOn } from './ceiling.ts'
import { envelope, media, minimalUser, times } from './json.ts'

/** A page of photos as a good developer writes it by hand: the viewer, one SQL that proves membership and builds the JSON. */

const text = `
  with gallery as (
    select e.id from events e join guests g on g.event_id = e.id and g.user_id = $2 and g.ended_at is null
    where e.id = $1 and e.deleted_at is null
  ), page as (
    select p.* from gallery join photos p on p.event_id = gallery.id
    where p.deleted_at is null order by p.sequence desc offset $3 limit $4 + 1
  ), numbered as (select *, row_number() over (order by sequence desc) as n from page)
  select (select count(*)::int from gallery) as member, count(*)::int, coalesce(json_agg(json_build_object(
    'id', p.id::text, 'event_id', p.event_id::text,
    'event_photo_url', ${media('p.media_id', 'full')}, 'event_photo_preview_url', ${media('p.media_id', 'preview')},
    'event_photo_likes_count', p.likes_count::text, 'event_photo_comments_count', p.comments_count::text,
    'liked', exists (select from photo_likes l where l.photo_id = p.id and l.user_id = $2),
    'taken_by', ${minimalUser('u')}, ${times('p')}
  ) order by p.n) filter (where p.n <= $4), '[]')::text as items
  from numbered p join users u on u.id = p.taken_by`

const db = pool()
const viewerOf = openBearers(db)
const server = Fastify()
type Asked = { Params: { event_id: string }; Querystring: Record<string, string> }
server.get<Asked>('/api/gallery/photos/:event_id', async (request, reply) => {
  const { page = '1', page_length: length = '50' } = request.query
  const values = [request.params.event_id, await viewerOf(request), (Number(page) - 1) * Number(length), Number(length)]
  const { rows } = await db.query({ name: 'photos', text, values })
  if (!rows[0].member)
    return reply.code(400).send({ error_message: 'The user is neither a guest nor an organizer of the event' })
  reply.type('application/json; charset=utf-8')
  return envelope(request.url, Number(page), Number(length), rows[0].items, rows[0].count)
})
await serveOn(server)
