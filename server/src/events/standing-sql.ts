import { type RawBuilder, sql } from 'kysely'
import { notSuspended } from '../accounts/persons-sql.ts'
import { isOrganizer, type Standing } from './standing.ts'

/*
 * Roles in an event, and what is hidden from whom, as defined in standing.ts. Members of an event have a row in the
 * view `members`; the view `standings` covers everybody else, at three times the cost.
 */

type UserId = number | RawBuilder<unknown>

/**
 * The viewer's role in the event `e`, or in another by its ID: organizer, guest, or none for anyone else. It is a
 * separate lookup, because a join with many chats made the planner scan all of an event's guests: 5 000 index entries
 * for each page of a large chat.
 */
export const standingIn = (viewerId: UserId, eventId: RawBuilder<unknown> = sql`e.id`) => sql`
  coalesce((select m.standing from members m
    where m.event_id = ${eventId} and m.user_id = ${viewerId} and ${notSuspended(viewerId)}), 'none')`

/** Leaves nothing of the event `e` for people who are not in it; for others, `viewing.standing`. */
export const ifInEvent = (viewerId: UserId) => sql`
  join members viewing on viewing.event_id = e.id and viewing.user_id = ${viewerId}
    and ${notSuspended(viewerId)}`

/** The owner of the row that may be hidden. */
type Hidable = { row: RawBuilder<unknown>; author: RawBuilder<unknown> }

/** See isShownTo. The standing may be a known value, or a column of the query. */
export const shownTo = (
  { id, standing }: { id: number; standing: Standing | RawBuilder<unknown> },
  { row, author }: Hidable,
) => {
  if (typeof standing !== 'string')
    return sql`(${row}.hidden_at is null or ${author} = ${id} or ${standing} = 'organizer')`
  return isOrganizer(standing) ? sql`true` : sql`(${row}.hidden_at is null or ${author} = ${id})`
}
