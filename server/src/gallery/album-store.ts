import { sql } from 'kysely'
import type { Standing } from '../events/standing.ts'
import type { Db } from '../platform/database.ts'
import { standingIn } from './store.ts'

/* The SQL of an album that is taken home. */

export type Album = {
  name: string
  timezone: string
  media_epoch: number
  standing: Standing
  /** The sequence of the newest photo. */
  last_sequence: number
}

export const findAlbum = async (db: Db, viewerId: number, eventId: number): Promise<Album | undefined> => {
  const { rows } = await sql<Album>`
    select e.name, e.timezone, e.media_epoch, ${standingIn(viewerId)} as standing,
      coalesce((select last_sequence from galleries g where g.event_id = e.id), 0) as last_sequence
    from events e where e.id = ${eventId} and e.deleted_at is null`.execute(db)
  return rows[0]
}

/** Which photos: all up to a sequence, or one person's. `viewerId` decides which file of each. */
export type Selection = { eventId: number; viewerId: number; takenBy: number | null; upTo: number }

export type AlbumPhoto = {
  id: number
  sequence: number
  username: string
  /** As the camera's clock showed it, perhaps with its offset from UTC. */
  taken_local: string | null
  created_at: Date
  /** The file that this viewer gets. */
  sha256: string
  bytes: number
  type: string
  crc32: number | null
}

/**
 * Some photos of a selection that this viewer may see, in their order, behind the sequence `after`: whoever uploaded a picture gets the bytes they
 * uploaded, everybody else the file that is shown, which has no place and no camera in it.
 */
export const listAlbum = async (
  db: Db,
  { eventId, viewerId, takenBy, upTo }: Selection,
  after: number,
  most: number,
) => {
  const { rows } = await sql<AlbumPhoto>`
    select f.id, f.sequence, u.username, f.taken_local, f.created_at, f.sha256, f.bytes, f.type, s.crc32
    from (
      select p.id, p.sequence, p.taken_by, p.created_at, m.taken_local,
        case when own then coalesce(v.original_sha256, m.original_sha256) else shown ->> 'sha256' end as sha256,
        case when own then coalesce(v.original_bytes, m.original_bytes) else (shown ->> 'bytes')::bigint end as bytes,
        case when own then coalesce(v.original_type, m.original_type) else shown ->> 'type' end as type
      from photos p join media m on m.id = p.media_id left join videos v on v.photo_id = p.id
      cross join lateral (select coalesce(m.variants -> 'video', m.variants -> 'display') as shown,
        m.owner_id = ${viewerId} and p.taken_by = ${viewerId} as own) which
      where p.event_id = ${eventId} and p.sequence > ${after} and p.sequence <= ${upTo} and p.deleted_at is null
        and (p.hidden_at is null or p.taken_by = ${viewerId} or exists (select from guests g
          where g.event_id = p.event_id and g.user_id = ${viewerId} and g.organizer and g.ended_at is null))
        and (${takenBy}::bigint is null or p.taken_by = ${takenBy})
      order by p.sequence limit ${most}
    ) f join users u on u.id = f.taken_by left join file_sums s on s.sha256 = f.sha256
    order by f.sequence`.execute(db)
  return rows
}
