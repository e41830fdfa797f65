import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import { roleMay } from '../standing-sql.ts'
import type { Range } from '../store.ts'

/* The SQL of sending away everybody who came by a link. */

const undoable = sql`interval '1 hour'`

export type SentAwayRow = {
  id: number
  event_id: number
  link_id: number
  since: Date
  people: number
  closed_link: boolean
  sent_by: number
  created_at: Date
  undo_until: Date
  undone: boolean
  in_time: boolean
}

const columns = sql`
  a.id, a.event_id, a.link_id, a.since, a.people, a.closed_link, a.sent_by, a.created_at,
  a.created_at + ${undoable} as undo_until, a.undone_at is not null as undone,
  a.created_at + ${undoable} > clock_timestamp() as in_time`

export type NewSendingAway = { eventId: number; linkId: number; since: Date | null; closedLink: boolean; by: number }

/** Expects the event's lock, like everything that writes here. */
export const insertSentAway = async (tx: Transaction, { eventId, linkId, since, closedLink, by }: NewSendingAway) => {
  const { rows } = await sql<{ id: number }>`
    insert into links_sent_away (event_id, link_id, since, closed_link, sent_by)
    select ${eventId}, l.id, coalesce(${since}::timestamptz, l.created_at), ${closedLink}, ${by}
    from event_links l where l.id = ${linkId} returning id`.execute(tx)
  return (rows[0] as { id: number }).id
}

/** The same act again, as long as it can be undone: it reaches further back, and is undone as one. */
export const widenLast = (tx: Transaction, { linkId, since, closedLink }: NewSendingAway) => firstValue<number>(tx)`
    update links_sent_away a set closed_link = a.closed_link or ${closedLink},
      since = least(a.since, coalesce(${since}::timestamptz, l.created_at))
    from event_links l
    where l.id = ${linkId} and a.undone_at is null and a.created_at + ${undoable} > clock_timestamp()
      and a.id = (select max(last.id) from links_sent_away last where last.link_id = l.id)
    returning a.id`

/** Takes the guests out who came by the link since then; organizers stay. Returns them. */
export const endGuestsOfLink = async (tx: Transaction, awayId: number): Promise<number[]> => {
  const { rows } = await sql<{ user_id: number }>`
    update guests g set ended_at = now(), removed = true, away_id = a.id
    from links_sent_away a join members m on m.event_id = a.event_id
    where a.id = ${awayId} and g.event_id = m.event_id and g.user_id = m.user_id and g.link_id = a.link_id
      and m.joined_at >= a.since and not ${roleMay(sql`m.role`, 'manage')}
    returning g.user_id`.execute(tx)
  await countSentAway(tx, awayId, rows.length)
  await sql`
    update events e set guests_count = guests_count - ${rows.length}, departures = departures + 1
    from links_sent_away a where a.id = ${awayId} and e.id = a.event_id`.execute(tx)
  return rows.map(row => row.user_id)
}

export const countSentAway = (tx: Transaction, awayId: number, more: number) =>
  run(tx)`update links_sent_away set people = people + ${more} where id = ${awayId}`

/** Brings those back who are still out because of it. Returns the guests, and those who only add photos. */
export const bringBackGuests = async (tx: Transaction, awayId: number) => {
  const { rows } = await sql<{ user_id: number; is_guest: boolean }>`
    update guests g set ended_at = null, removed = false, away_id = null
    from users u
    where g.away_id = ${awayId} and g.removed and u.id = g.user_id and u.erased_at is null
    returning g.user_id, ${roleMay(sql`g.role`, 'read')} as is_guest`.execute(tx)
  const [guests, adders] = [true, false].map(is => rows.filter(row => row.is_guest === is).map(row => row.user_id))
  await run(tx)`
    with undone as (update links_sent_away set undone_at = now() where id = ${awayId} returning event_id, link_id, closed_link),
    opened as (
      update event_links l set revoked_at = null from undone where undone.closed_link and l.id = undone.link_id)
    update events e set guests_count = guests_count + ${guests?.length ?? 0} from undone where e.id = undone.event_id`
  return { guests: guests ?? [], adders: adders ?? [] }
}

export const findSentAway = (db: Db, id: number) => firstRow<SentAwayRow>(db)`
    select ${columns} from links_sent_away a join events e on e.id = a.event_id
    where a.id = ${id} and e.deleted_at is null`

/** Newest first. */
export const listSentAway = (db: Db, eventId: number, { offset, limit }: Range) => allRows<SentAwayRow>(db)`
    select ${columns} from links_sent_away a where a.event_id = ${eventId}
    order by a.id desc offset ${offset} limit ${limit}`
