import { sql } from 'kysely'
import { roleMay } from '../events/standing-sql.ts'
import type { ChangeRow } from '../log/announce.ts'

/* Columns and readers that notices about photos, likes and comments share. */

/** A change in a gallery with everything its text needs. */
export type OfPhoto = {
  id: number
  event_id: number
  event: string
  actor: string
  photo_id: number
  taken_by: number
  /** The owners of the photo or comment who are in the event. */
  present: number[]
}
/** Columns of a change `c` to a photo `p`. */
export const noticeColumns = sql`c.id, e.id as event_id, e.name as event, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor,
  p.id as photo_id, p.taken_by`
export const eventAndActor = sql`
  join events e on e.id = p.event_id and e.deleted_at is null join users a on a.id = c.actor_id`
const seesAlbum = roleMay(sql`g.role`, 'album')
/** The people of the event `e` who see its album. */
export const albumsPeople = sql`members g where g.event_id = e.id and ${seesAlbum}`
/** The same, and the uploader of the photo `p`, also one who only adds photos. */
export const photosPeople = sql`seats g where g.event_id = e.id and (${seesAlbum} or g.user_id = p.taken_by)`
export const idsOf = (changes: readonly ChangeRow[]) => changes.map(({ id }) => id)

export const aboutPhoto = ({ event_id, photo_id }: OfPhoto) => ({
  link: `/events/${event_id}/photos/${photo_id}`,
  eventId: event_id,
})
/** Leaves out people who are no longer in the event. */
export const ifPresent = (userId: number | null, { present }: OfPhoto) => present.filter(id => id === userId)
