import {
  type Capability,
  type CapabilityOf,
  can,
  type ordinary,
  rolesThatMay,
  type Standing,
} from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import { notSuspended } from '../accounts/persons-sql.ts'

/*
 * Capabilities and visibility in SQL, as defined in standing.ts. Members of an event have a row in the view `members`,
 * viewers and uploaders by a link one in `seats`; the view `standings` covers everybody else, at three times the cost.
 */

type UserId = number | RawBuilder<unknown>

/** For a role or a standing: whether it may do this. */
export const roleMay = (role: RawBuilder<unknown>, capability: Capability) =>
  sql`${role} in (${sql.join(rolesThatMay(capability).map(each => sql.lit(each)))})`

/** The same, to find those few among all people of an event: its index has them in front. */
export const fewMay = (role: RawBuilder<unknown>, capability: Exclude<Capability, CapabilityOf<typeof ordinary>>) =>
  sql`${isExtraordinary(role)} and ${roleMay(role, capability)}`

/** True for roles that may more than a guest; an index of `guests` has this expression. */
export const isExtraordinary = (role: RawBuilder<unknown>) => sql`${role} not in ('guest', 'absent')`

/** The ID of the person who owns the event `e`. */
export const ownerId = sql`(select o.user_id from members o where o.event_id = e.id and ${roleMay(sql`o.role`, 'own')})`

/**
 * The viewer's role in the event `e`, or in another by its ID, or none for anyone who is not in it. It is a separate lookup, because a join with many chats made the planner scan all of an event's guests: 5 000 index entries
 * for each page of a large chat.
 */
export const standingIn = (viewerId: UserId, eventId: RawBuilder<unknown> = sql`e.id`) => sql`
  coalesce((select m.role from seats m
    where m.event_id = ${eventId} and m.user_id = ${viewerId} and ${notSuspended(viewerId)} limit 1), 'none')`

/** True if somebody has a standing in the event `e`, and was not removed from it. */
export const standsTo = (userId: UserId) => sql`exists (
  select from standings s where s.event_id = e.id and s.user_id = ${userId} and s.standing <> 'removed')`

/** Leaves nothing of the event `e` for anyone who may not do this in it; for others, `viewing.role`. */
export const ifMayInEvent = (viewerId: UserId, capability: Capability) => sql`
  join seats viewing on viewing.event_id = e.id and viewing.user_id = ${viewerId}
    and ${roleMay(sql`viewing.role`, capability)} and ${notSuspended(viewerId)}`

/**
 * A row that may be hidden, whose it is, whose what it stands below, who sees it like the album, from whom it is sealed,
 * and whether it waits.
 */
type Hidable = {
  row: RawBuilder<unknown>
  author: RawBuilder<unknown>
  belowOf?: RawBuilder<unknown>
  sealedFrom?: RawBuilder<unknown>
  waits?: RawBuilder<unknown>
}

/** The standing may be a known value, or a column of the query. */
export type ViewerInSql = { id: number; standing: Standing | RawBuilder<unknown> }

export const viewerMay = ({ standing }: ViewerInSql, capability: Capability) =>
  typeof standing === 'string' ? sql.lit(can(standing, capability)) : roleMay(standing, capability)

/** See isShownTo. */
export const shownTo = (viewer: ViewerInSql, { row, author, belowOf, sealedFrom, waits }: Hidable) => {
  const may = (capability: Capability) => viewerMay(viewer, capability)
  const unsealed = sealedFrom ? sql`and ${sealedFrom} is distinct from 'everybody'` : sql``
  const approved = waits ? sql`and (not ${waits} or ${may('seeWaiting')})` : sql``
  const seen = belowOf ? sql`(${may('album')} or ${belowOf} = ${viewer.id})` : may('album')
  return sql`(${row}.hidden_at is null and ${seen} ${approved} or ${author} = ${viewer.id}
    or ${may('seeHidden')} ${unsealed})`
}
