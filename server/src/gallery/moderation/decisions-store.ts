import { sql } from 'kysely'
import type { May } from '../../events/standing.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, run } from '../../platform/database/rows.ts'

/* Each decision is one statement, however many photos it covers. */

type Gallery = { event_id: number } & May<'approve'>

const waitsWhole = sql`p.waits and not p.off_wall`
const seen = sql`(p.hidden_at is null or p.sealed_from is not null)`
/** Nobody has decided about the photo `p` yet, or about its new words. */
export const isUndecided = sql`(${waitsWhole} or p.new_words is not null and ${seen})`

/** The photos `p` that a mark for the wall decides about. */
export const decidedBy = {
  chosen: sql`p.waits`,
  hidden: sql`${waitsWhole} and ${seen}`,
  none: sql`p.off_wall`,
}

/**
 * `closed`: it waits before the album, hidden, and not before the wall alone. `words`: it is approved, and its new words
 * are not.
 */
export type WaitingPhoto = {
  id: number
  media_id: number
  taken_by: number
  hidden: boolean
  closed: boolean
  words: boolean
}

const waitingColumns = sql`p.id, p.media_id, p.taken_by, p.hidden_at is not null as hidden,
  p.hidden_at is not null and p.sealed_from is null as closed, not p.waits as words`

/** Locks the given photos that wait, or all that do. */
export const lockWaiting = async (
  tx: Transaction,
  { event_id }: Gallery,
  ids: readonly number[] | 'all',
  which = isUndecided,
) => {
  const asked = ids === 'all' ? sql`` : sql`and p.id = any(${ids}::bigint[])`
  return allRows<WaitingPhoto>(tx)`
    select ${waitingColumns} from photos p
    where p.event_id = ${event_id} ${asked} and ${which} and p.deleted_at is null
    order by p.id for no key update`
}

/** A photo approved before the reveal is sealed until then. Returns those that become visible now. */
export const approve = async (tx: Transaction, _: Gallery, ids: readonly number[]) => {
  const { rows } = await sql<{ id: number; hidden: boolean }>`
    update photos p set (hidden_at, sealed_from, waits, off_wall, updated_at) = (
      select case when g.sealed_from is not null then coalesce(p.hidden_at, now()) end, g.sealed_from, false, false,
        clock_timestamp()
      from galleries g where g.event_id = p.event_id)
    where p.id = any(${ids}::bigint[]) returning p.id, p.hidden_at is not null as hidden`.execute(tx)
  return new Set(rows.filter(({ hidden }) => !hidden).map(({ id }) => id))
}

/** Before the album they stay hidden; before the wall they stay in the album, and off the wall. */
export const refuse = (tx: Transaction, _: Gallery, { album, wall }: Record<'album' | 'wall', readonly number[]>) =>
  run(tx)`
    update photos p set waits = not p.id = any(${album}::bigint[]), off_wall = p.id = any(${wall}::bigint[]),
      updated_at = clock_timestamp()
    where p.id = any(${[...album, ...wall]}::bigint[])`

/** Applies the new words of these photos or drops them; returns what they replace or are. */
export const decideWords = async (tx: Transaction, _: Gallery, ids: readonly number[], refused: boolean) => {
  const { rows } = await sql<{ words: object[] }>`
    with before as (
      select p.id, p.caption, p.alt_text, p.new_words, p.approved_name from photos p where p.id = any(${ids}::bigint[])
    ), changed as (
      update photos p set new_words = null, updated_at = clock_timestamp() ${
        refused
          ? sql``
          : sql`, caption = p.new_words ->> 'caption', alt_text = p.new_words ->> 'alt_text', approved_name = null`
      } from before where p.id = before.id
    )
    select coalesce(jsonb_agg(to_jsonb(before)), '[]') as words from before`.execute(tx)
  return rows[0]?.words ?? []
}

/** New words wait again, unless others have come since. Returns their photos. */
export const waitAgainWithWords = async (tx: Transaction, { id, refused }: Decision) => {
  const decided = (text: 'caption' | 'alt_text') =>
    refused ? sql`w.${sql.ref(text)}` : sql`w.new_words ->> ${sql.lit(text)}`
  return allRows<WaitingPhoto>(tx)`
    update photos p set caption = w.caption, alt_text = w.alt_text, new_words = w.new_words, updated_at = clock_timestamp(),
      approved_name = w.approved_name
    from photo_decisions d, jsonb_to_recordset(d.words) w (id bigint, caption text, alt_text text, new_words jsonb, approved_name jsonb)
    where d.id = ${id} and p.id = w.id and p.deleted_at is null and not p.waits and p.new_words is null
      and (p.caption, p.alt_text) is not distinct from (${decided('caption')}, ${decided('alt_text')})
    returning ${waitingColumns}`
}

/** People are notified of photos once they may see them. */
export const scheduleAnnouncement = (tx: Transaction, eventId: number, ids: readonly number[]) => run(tx)`
    insert into untold_photos (photo_id, event_id, added_at)
    select id, ${eventId}, clock_timestamp() from unnest(${ids}::bigint[]) id on conflict do nothing`

export type Decision = { id: number; event_id: number; refused: boolean; album_ids: number[]; wall_ids: number[] }

export const keepDecision = async (
  tx: Transaction,
  {
    event_id,
    by,
    refused,
    album,
    wall,
    words,
  }: Record<'album' | 'wall', readonly number[]> & {
    event_id: number
    by: number
    refused: boolean
    words: readonly object[]
  },
) => {
  const { rows } = await sql<{ id: number }>`
    insert into photo_decisions (event_id, user_id, refused, album_ids, wall_ids, words)
    values (${event_id}, ${by}, ${refused}, ${album}::bigint[], ${wall}::bigint[], ${JSON.stringify(words)}::jsonb)
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

export const findDecision = (db: Db, id: number) => firstRow<Decision>(db)`
    select id, event_id, refused, album_ids::float8[], wall_ids::float8[] from photo_decisions
    where id = ${id} and decided_at > now() - interval '1 day'`

/** A decision can be undone once. */
export const forgetDecision = (tx: Transaction, id: number) => run(tx)`delete from photo_decisions where id = ${id}`

/** Locks the photos of a decision whose state is still as it left them. */
export const lockDecided = (tx: Transaction, { event_id, refused, album_ids, wall_ids }: Decision) =>
  allRows<WaitingPhoto>(tx)`
    select p.id, p.media_id, p.taken_by, p.hidden_at is not null as hidden, p.id = any(${album_ids}::bigint[]) as closed, false as words
    from photos p
    where p.event_id = ${event_id} and p.id = any(${[...album_ids, ...wall_ids]}::bigint[]) and p.deleted_at is null
      and case when ${refused} then p.off_wall or not p.waits and p.hidden_at is not null and p.sealed_from is null
        else not p.waits and (p.hidden_at is null or p.sealed_from is not null) end
    order by p.id for no key update`

/** They wait again with their latest words, before the album hidden as they were. */
export const waitAgain = (tx: Transaction, photos: readonly WaitingPhoto[]) => {
  const closed = photos.filter(photo => photo.closed).map(({ id }) => id)
  return sql`
    update photos p set waits = true, off_wall = false, updated_at = clock_timestamp(), approved_name = null,
      caption = case when p.new_words is null then p.caption else p.new_words ->> 'caption' end,
      alt_text = case when p.new_words is null then p.alt_text else p.new_words ->> 'alt_text' end, new_words = null,
      hidden_at = case when p.id = any(${closed}::bigint[]) then coalesce(p.hidden_at, now()) else p.hidden_at end,
      sealed_from = case when p.id = any(${closed}::bigint[]) then null else p.sealed_from end
    where p.id = any(${photos.map(({ id }) => id)}::bigint[])`.execute(tx)
}

export const selectWaiting = (eventIds: readonly number[]) =>
  sql<{ event_id: number; count: number; since: Date }>`
    select p.event_id, count(*)::int as count, min(p.created_at) as since from photos p
    where p.event_id = any(${eventIds}::bigint[]) and ${isUndecided} and p.deleted_at is null
    group by p.event_id`

export const countWaiting = async (tx: Transaction, eventId: number) =>
  (await selectWaiting([eventId]).execute(tx)).rows[0]?.count ?? 0

/** The current states of these photos. */
export const statesOf = (db: Db, eventId: number, ids: readonly number[]) =>
  allRows<{ id: number; state: 'waiting' | 'shown' | 'off_wall' | 'hidden' | 'gone' }>(db)`
    select asked.id::float8 as id, case when p.id is null then 'gone' when p.off_wall then 'off_wall' when ${isUndecided} then 'waiting'
      when p.hidden_at is not null and p.sealed_from is null then 'hidden' else 'shown' end as state
    from unnest(${ids}::bigint[]) with ordinality asked (id, n)
    left join photos p on p.id = asked.id and p.event_id = ${eventId} and p.deleted_at is null
    order by asked.n`
