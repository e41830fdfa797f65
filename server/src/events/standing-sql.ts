import { type RawBuilder, sql } from 'kysely'
import { notSuspended } from '../accounts/persons-sql.ts'
import { isOrganizer, type Standing } from './standing.ts'

/*
 * Who is what to an event, and what is hidden from whom, as standing.ts has it. Who is in an event has a row in the view
 * `members`; what everybody else is to it says the view `standings`, at three times the price.
 */

type UserId = number | RawBuilder<unknown>

/**
 * What the viewer is to the event `e`, or to another by its id: organizer, guest, or none for whoever is neither. It is
 * looked up by itself, as a join with many chats made the planner walk through all of an event's guests: 5 000 index
 * entries for each page of a great chat.
 */
export const standingIn = (viewerId: UserId, eventId: RawBuilder<unknown> = sql`e.id`) => sql`
  coalesce((select m.standing from members m
    where m.event_id = ${eventId} and m.user_id = ${viewerId} and ${notSuspended(viewerId)}), 'none')`

/** Leaves nothing of the event `e` for whoever is not in it; for the others `viewing.standing`. */
export const ifInEvent = (viewerId: UserId) => sql`
  join members viewing on viewing.event_id = e.id and viewing.user_id = ${viewerId}
    and ${notSuspended(viewerId)}`

/** Whose row it is that may be hidden. */
type Hidable = { row: RawBuilder<unknown>; author: RawBuilder<unknown> }

/** See isShownTo. The standing may be known, or a column of the query. */
export const shownTo = (
  { id, standing }: { id: number; standing: Standing | RawBuilder<unknown> },
  { row, author }: Hidable,
) => {
  if (typeof standing !== 'string')
    return sql`(${row}.hidden_at is null or ${author} = ${id} or ${standing} = 'organizer')`
  return isOrganizer(standing) ? sql`true` : sql`(${row}.hidden_at is null or ${author} = ${id})`
}
