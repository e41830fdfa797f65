import type { LinkRole } from '@afterglow/contract/capabilities'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import { restorable } from '../../platform/media/file-references.ts'
import { listed } from '../event-list-sql.ts'
import { overAt } from '../local-time.ts'
import type { Manageable, May } from '../standing.ts'
import { fewMay } from '../standing-sql.ts'
import type { EventRow, Range } from '../store.ts'

/* The SQL of join links. */

/**
 * How many wrong PINs a link tolerates at once, and after how many seconds it forgets one: of ten thousand PINs, 290
 * can be tried on the first day.
 */
const wrongPinsMax = 50
const secondsToForget = 360
const wrongPinsNow = sql`greatest(0, l.wrong_pins - floor(coalesce(
  extract(epoch from clock_timestamp() - l.wrong_pin_at) / ${sql.lit(secondsToForget)}, 0)))::int`

export type LinkStatus = 'open' | 'expired' | 'used_up' | 'paused' | 'locked' | 'revoked'

export type LinkRow = {
  id: number
  event_id: number
  nonce: Buffer
  pin_mac: Buffer | null
  pin_sealed: Buffer | null
  uses: number
  uses_max: number | null
  expires_at: Date | null
  created_by: number
  created_at: Date
  role: LinkRole
  photographer: boolean
  photos_wait: boolean
  /** People ask to join by it. */
  asks: boolean
  /** Who stands for all who look by it; null for a link by which people come in. */
  viewer_id: number | null
  status: LinkStatus
  /** The index of its short code among the possible ones; null if it has none. */
  short_turn: number | null
}

const columns = sql`
  l.id, l.event_id, l.nonce, l.pin_mac, l.pin_sealed, l.uses, l.uses_max, l.expires_at, l.created_by, l.created_at, l.role, l.photographer, l.photos_wait, l.viewer_id,
  l.made_with_event and (select e.join_mode = 3 from events e where e.id = l.event_id) as asks,
  (select s.turn from link_short_codes s where s.link_id = l.id) as short_turn,
  case when l.revoked_at is not null then 'revoked'
    when l.expires_at <= clock_timestamp() then 'expired'
    when l.uses >= l.uses_max then 'used_up'
    when l.paused_at is not null then 'paused'
    when ${wrongPinsNow} >= ${sql.lit(wrongPinsMax)} then 'locked'
    else 'open' end as status`

export type NewLink = {
  codeHash: Buffer
  nonce: Buffer
  pinMac: Buffer | null
  pinSealed: Buffer | null
  usesMax: number | null
  expiresAt: Date | null
  role: LinkRole
  photographer: boolean
  photosWait: boolean
  madeWithEvent: boolean
  by: number
}

/** Undefined if it would already have expired. */
export const insertLink = (tx: Transaction, event: EventRow & May<'invite'>, link: NewLink) => firstRow<LinkRow>(tx)`
    insert into event_links as l (event_id, code_hash, nonce, pin_mac, pin_sealed, uses_max, expires_at, role, photographer, photos_wait, made_with_event, created_by)
    select ${event.id}, ${link.codeHash}, ${link.nonce}, ${link.pinMac}, ${link.pinSealed}, ${link.usesMax}::int,
      ${link.expiresAt}::timestamptz, ${link.role}, ${link.photographer}, ${link.photosWait}, ${link.madeWithEvent}, ${link.by}
    where coalesce(${link.expiresAt}::timestamptz > clock_timestamp(), true)
    returning ${columns}`

export const setViewer = (tx: Transaction, id: number, viewerId: number) =>
  run(tx)`update event_links set viewer_id = ${viewerId} where id = ${id}`

/** The link's short code: this, or the one it was given before. Undefined if another link has this one. */
export const giveShortCode = (db: Db, id: number, { turn, mac }: { turn: number; mac: Buffer }) =>
  firstValue<number>(db)`
    with given as (
      insert into link_short_codes (link_id, turn, mac) values (${id}, ${turn}, ${mac}) on conflict do nothing returning turn
    )
    select turn from given union all select turn from link_short_codes where link_id = ${id} limit 1`

/** Only for links that are not closed. */
export const findLinkByShortCode = (db: Db, mac: Buffer) => firstRow<Pick<LinkRow, 'id' | 'nonce'>>(db)`
    select l.id, l.nonce from link_short_codes s join event_links l on l.id = s.link_id
    where s.mac = ${mac} and l.revoked_at is null`

/** Newest first. */
export const listLinks = (db: Db, { id: eventId }: EventRow & May<'invite'>, { offset, limit }: Range) =>
  allRows<LinkRow>(db)`
    select ${columns} from event_links l where l.event_id = ${eventId}
    order by l.id desc offset ${offset} limit ${limit}`

/** The link that was made with an event, unless it is closed. */
export const linkMadeWith = (db: Db, eventId: number) => firstRow<LinkRow>(db)`
    select ${columns} from event_links l where l.event_id = ${eventId} and l.made_with_event and l.revoked_at is null`

/** Open links that let in more than one person, newest first. */
export const linksForAll = (db: Db, eventId: number) => allRows<LinkRow>(db)`
    select * from (
      select ${columns} from event_links l
      where l.event_id = ${eventId} and l.revoked_at is null and l.viewer_id is null and coalesce(l.uses_max > 1, true)
    ) links where status = 'open' order by id desc limit 50`

/** For an event that exists; `cancelled` says whether it was cancelled. */
export const findLink = (db: Db, id: number) => firstRow<LinkRow & { cancelled: boolean; listed: boolean }>(db)`
    select ${columns}, e.status <> 1 as cancelled, ${listed} as listed
    from event_links l join events e on e.id = l.event_id where l.id = ${id} and e.deleted_at is null`

/** The link with this code, of an event that exists and is listed; `cancelled` says whether the event was cancelled. */
export const findLinkByCode = (db: Db, codeHash: Buffer) => firstRow<LinkRow & { cancelled: boolean }>(db)`
    select ${columns}, e.status <> 1 as cancelled from event_links l join events e on e.id = l.event_id
    where l.code_hash = ${codeHash} and e.deleted_at is null and ${listed}`

/** Who invites: this one, while they may, or else who has organized it longest. */
export const hostOf = async (db: Db, eventId: number, first: number | null) => {
  const { rows } = await sql<{ host_id: number }>`
    select m.user_id as host_id from members m where m.event_id = ${eventId} and ${fewMay(sql`m.role`, 'invite')}
    order by m.user_id = ${first} desc, m.joined_at, m.user_id limit 1`.execute(db)
  return (rows[0] as (typeof rows)[number]).host_id
}

/** More than this many have joined by a link within a day, and many times those whom its event has or expects. */
const flowMax = 1000
const timesExpected = 5

/**
 * Counts a use, by somebody who is in the event by now, and pauses the link if far more come by it than its event can
 * expect: then it is true. Expects the event to be locked.
 */
export const addUse = async (tx: Transaction, id: number) => {
  const { rows } = await sql<{ paused: boolean }>`
    with used as (
      update event_links l set uses = uses + 1,
        flow = case when flow_since > now() - interval '1 day' then flow + 1 else 1 end,
        flow_since = case when flow_since > now() - interval '1 day' then flow_since else now() end
      where id = ${id} returning id, event_id, flow, uses_max
    )
    select u.flow > greatest(${flowMax}, u.uses_max, ${timesExpected} * (e.guests_count - u.flow)) as paused
    from used u join events e on e.id = u.event_id`.execute(tx)
  if (!rows[0]?.paused) return false
  await sql`update event_links set paused_at = now() where id = ${id}`.execute(tx)
  return true
}

/**
 * Locks the link until the transaction ends, so that closing it waits for a device that is opening it, and counts a new
 * device. Undefined if it has been closed.
 */
export const holdToView = (tx: Transaction, id: number, isKnown: boolean) => firstRow<LinkRow>(tx)`
    update event_links l set uses = uses + ${isKnown ? 0 : 1}
    where id = ${id} and revoked_at is null and (${isKnown} or coalesce(uses < uses_max, true))
    returning ${columns}`

/** Counts those who come from now on. False if it was neither paused nor closed within thirty days. */
export const reopen = async (tx: Transaction, id: number) => {
  const { numAffectedRows } = await sql`
    update event_links set paused_at = null, revoked_at = null, flow = 0, flow_since = now()
    where id = ${id} and coalesce(revoked_at > now() - ${restorable}, paused_at is not null)`.execute(tx)
  return numAffectedRows === 1n
}

/** A link that expires when its event begins or is over still does, whenever that is; one that has expired stays so. */
export const moveExpiries = (tx: Transaction, from: EventRow & Manageable, to: EventRow) => run(tx)`
    update event_links
    set expires_at = case when expires_at = ${from.starts_at} then ${to.starts_at}::timestamptz else ${overAt(to)}::timestamptz end
    where event_id = ${from.id} and expires_at in (${from.starts_at}, ${overAt(from)})
      and expires_at > now() and revoked_at is null`

export type Closed = Pick<LinkRow, 'id' | 'event_id' | 'viewer_id'>

const closed = sql`update event_links set revoked_at = now() where revoked_at is null`
const ofClosed = sql`returning id, event_id, viewer_id`

/** Undefined if it was revoked before. */
export const revoke = (tx: Transaction, id: number) => firstRow<Closed>(tx)`${closed} and id = ${id} ${ofClosed}`

/** Returns those that were open. */
export const revokeAll = (tx: Transaction, { id: eventId }: EventRow & May<'invite'>) =>
  allRows<Closed>(tx)`${closed} and event_id = ${eventId} ${ofClosed}`

/** Commits separately: a refusal must not roll back the count. */
export const addWrongPin = (db: Db, id: number) => run(db)`
    update event_links l set wrong_pins = ${wrongPinsNow} + 1, wrong_pin_at = clock_timestamp()
    where l.id = ${id}`
