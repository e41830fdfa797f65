import type { wallChoices, wallLayouts } from '@afterglow/contract/wall'
import { type RawBuilder, sql } from 'kysely'
import { standsTo } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allRows, firstRow, oneRow, run } from '../platform/database/rows.ts'

/* Every change to a wall expects its event to be locked, except for a screen's own reports. */

export type WallState = {
  layout: (typeof wallLayouts)[number]
  seconds: number
  photos: (typeof wallChoices)[number]
  paused: boolean
  turn: number
  shown_photo_id: number | null
}

export type WallRow = {
  /** Null until somebody changes it. */
  state: WallState | null
  messages: boolean
  chosen: number[]
  hidden: number[]
  on_wall: number[]
  on_wall_at: Date | null
}

/** The photos `p` that a screen may show. */
const forScreens = sql`p.deleted_at is null and p.hidden_at is null and not p.waits`

/** Excludes photos that an organizer has hidden from screens. */
const onScreens = sql`${forScreens}
  and not exists (select from wall_photos h where h.photo_id = p.id and h.hidden)`

/** Photos that an organizer chose. */
const chosen = sql`(
  select coalesce(json_agg(p.id order by p.id), '[]') from wall_photos m join photos p on p.id = m.photo_id
  where m.event_id = e.id and not m.hidden and ${forScreens})`

/** Photos that an organizer hid from screens, or refused for the wall. */
const hiddenFromScreens = sql`(
  select coalesce(json_agg(p.id order by p.id), '[]') from photos p
  where p.event_id = e.id and p.deleted_at is null and (p.off_wall
    or p.id in (select m.photo_id from wall_photos m where m.event_id = e.id and m.hidden)))`

/** The content of an event's wall, the same for everybody. */
export const readWall = (db: Db, eventId: number) => oneRow<WallRow>(db)`
    select case when w.event_id is not null then json_build_object('layout', w.layout, 'seconds', w.seconds,
        'photos', w.photos, 'paused', w.paused, 'turn', w.turn, 'shown_photo_id', (
          select p.id from photos p where p.id = w.shown_photo_id and ${onScreens})) end as state,
      e.greetings_on_wall as messages, ${chosen} as chosen, ${hiddenFromScreens} as hidden, (
        select coalesce(json_agg(p.id order by n), '[]') from unnest(w.on_wall) with ordinality o (id, n)
        join photos p on p.id = o.id and ${onScreens}) as on_wall, w.on_wall_at
    from events e left join walls w on w.event_id = e.id where e.id = ${eventId}`

/** A photo's event, and whether a screen may show the photo. */
export const findPhoto = (db: Db, eventId: number, photoId: number) => firstRow<{ shows: boolean }>(db)`
    select ${forScreens} as shows from photos p
    where p.id = ${photoId} and p.event_id = ${eventId} and p.deleted_at is null`

export const saveState = (tx: Transaction, eventId: number, state: WallState) => run(tx)`
    insert into walls (event_id, layout, seconds, photos, paused, turn, shown_photo_id)
    values (${eventId}, ${state.layout}, ${state.seconds}, ${state.photos}, ${state.paused}, ${state.turn},
      ${state.shown_photo_id}::bigint)
    on conflict (event_id) do update set layout = excluded.layout, seconds = excluded.seconds, photos = excluded.photos,
      paused = excluded.paused, turn = excluded.turn, shown_photo_id = excluded.shown_photo_id`

/** Puts a hidden photo back on the wall. */
export const unhide = (tx: Transaction, photoId: number) =>
  run(tx)`delete from wall_photos where photo_id = ${photoId} and hidden`

export const setMark = async (
  tx: Transaction,
  { id, event_id }: { id: number; event_id: number },
  mark: 'chosen' | 'hidden' | 'none',
) => {
  const { numAffectedRows } = await (mark === 'none'
    ? sql`delete from wall_photos where photo_id = ${id}`
    : sql`
      insert into wall_photos as m (photo_id, event_id, hidden) values (${id}, ${event_id}, ${mark === 'hidden'})
      on conflict (photo_id) do update set hidden = excluded.hidden where m.hidden <> excluded.hidden`
  ).execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Includes marks of photos that are currently deleted or hidden. */
export const countMarks = async (db: Db, eventId: number, hidden: boolean) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from wall_photos where event_id = ${eventId} and hidden = ${hidden}`.execute(db)
  return rows[0]?.count ?? 0
}

/** A screen's report of the photos it shows, all from this event. */
export const saveShown = (db: Db, eventId: number, untouched: WallState, photoIds: readonly number[]) => run(db)`
    insert into walls (event_id, layout, seconds, photos, paused, turn, on_wall, on_wall_at)
    select ${eventId}, ${untouched.layout}, ${untouched.seconds}, ${untouched.photos}, ${untouched.paused},
      ${untouched.turn}, array(
        select p.id from unnest(${photoIds}::bigint[]) with ordinality o (id, n)
        join photos p on p.id = o.id and p.event_id = ${eventId} and ${forScreens} order by n), clock_timestamp()
    on conflict (event_id) do update set on_wall = excluded.on_wall, on_wall_at = excluded.on_wall_at`

/** Chosen photos are not copied, nor is the setting to show only those. */
export const copyWall = (tx: Transaction, fromId: number, toId: number) => run(tx)`
    insert into walls (event_id, layout, seconds, photos, paused, turn)
    select ${toId}, layout, seconds, case photos when 'chosen' then 'all' else photos end, false, 0
    from walls where event_id = ${fromId}`

/** The walls of a person's events that they may still see. */
export const wallsBy = (db: Db, userId: number) => allRows<object>(db)`
    select w.event_id, w.layout, w.seconds, w.photos, w.paused, w.shown_photo_id,
      array(select photo_id::float8 from wall_photos m where m.event_id = e.id and not m.hidden order by 1) as chosen,
      array(select photo_id::float8 from wall_photos m where m.event_id = e.id and m.hidden order by 1) as hidden
    from events e join walls w on w.event_id = e.id
    where e.created_by = ${userId}
      and ${standsTo(userId)}
    order by w.event_id`

export const eraseWall = async (db: Db, eventId: number) => {
  for (const table of ['wall_photos', 'walls'])
    await sql`delete from ${sql.table(table)} where event_id = ${eventId}`.execute(db)
}

export const wallRecounts: Record<string, RawBuilder<unknown>> = {
  'a photo is marked for the wall of another event': sql`
    select m.photo_id as id from wall_photos m join photos p on p.id = m.photo_id where p.event_id <> m.event_id`,
}
