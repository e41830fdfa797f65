import { type RawBuilder, sql } from 'kysely'
import type { Person, PersonBeside } from '../accounts/persons.ts'
import { personBeside } from '../accounts/persons-sql.ts'
import { columnsOf, type RowJson } from '../platform/database/row-json.ts'
import { type Details, details } from './photo-details-sql.ts'

/* Reads photos one by one, and by page. */

/**
 * The columns of a photo, wherever it is shown: on a page, alone, and on the channel. `presentPhoto` decides what the
 * wire shows of them, and under which names.
 */
const photoColumns = [
  'id',
  'event_id',
  'media_id',
  'taken_by',
  'picture_epoch',
  'plays',
  'endings',
  'likes_count',
  'comments_count',
  'created_at',
  'updated_at',
  'approved_name',
] as const
/**
 * The picture epoch counts on top of the event's media epoch. `plays`: its media has the variant `video`. `endings`:
 * the file endings of its full-size and preview URLs.
 */
export type PhotoRow = Omit<RowJson<'photos', (typeof photoColumns)[number]>, 'approved_name'> & {
  liked: boolean
  /** The uploader's name when the photo was approved, until their present one is. */
  approved_name: Pick<Person, 'first_name' | 'middle_name' | 'last_name'> | null
  /** Included on request. */
  details?: Details
}

/** A photo with its uploader. */
export type PhotoAndTaker = PhotoRow &
  PersonBeside & { hidden_at: Date | null; sealed_from: string | null; waits: boolean }

export const photosAndTakers = sql`photos p join users u on u.id = p.taken_by`

// A scalar subquery, because exists() may be planned as a hash of everything that the viewer ever liked.
const photoJson = (viewerId: number, detailed: boolean) => sql`(
  select to_json(photo) from (
    select ${columnsOf('p', photoColumns)}, p.likes_count > 0 and (
      select true from photo_likes l where l.photo_id = p.id and l.user_id = ${viewerId}) is not null as liked
      ${detailed ? sql`, details from (${details}) details` : sql``}
  ) photo)`

/** The columns of a PhotoAndTaker, before `read`. */
export const columns = (viewerId: number, { detailed = false } = {}) =>
  sql`${personBeside}, p.hidden_at, p.sealed_from, p.waits, ${photoJson(viewerId, detailed)} as photo`

/** As the database returns it. */
export type Unread<Row> = Omit<Row, keyof PhotoRow> & { photo: PhotoRow }

export const read = <Columns extends { photo: PhotoRow }>({ photo, ...beside }: Columns) => ({ ...photo, ...beside })

/** Photos in list order, and all their uploaders. */
export type PhotoPage = { rows: readonly PhotoRow[]; takers: readonly Person[] }
export type PageColumns = { photos: PhotoRow[] | null; takers: Person[] | null }

/**
 * These photos `p` as one row: as 22 columns, a page of 50 rows took PostgreSQL 170 µs more, and Node 370 to read,
 * present and discard.
 */
export const asPage = (
  viewerId: number,
  photos: RawBuilder<unknown>,
  { order, detailed }: { order: RawBuilder<unknown>; detailed: boolean },
) => sql`
  select all_of.photos, (
    select json_agg(taker) from (
      select u.id, ${personBeside} from users u where u.id = any(all_of.taken_by)
    ) taker) as takers
  from (
    select json_agg(${photoJson(viewerId, detailed)} order by ${order}) as photos,
      array_agg(distinct p.taken_by) as taken_by
    from (${photos}) p
  ) all_of`

export const pageOf = ({ photos, takers }: PageColumns, limit: number): PhotoPage => ({
  rows: photos?.slice(0, limit) ?? [],
  takers: takers ?? [],
})
