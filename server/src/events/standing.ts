import { type Capability, can, type Standing } from '@afterglow/contract/capabilities'
import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import { refuse } from '../platform/http/refusals.ts'

/* Capabilities and visibility. standing-sql.ts says the same in SQL, and standing.test.ts compares the two. */

declare const proved: unique symbol

/** A row whose viewer may do this. Only `requireMay` makes one, so code that takes one is behind a door. */
export type May<What extends Capability> = { readonly [proved]: { readonly [Each in What]: true } }
export type InEvent = May<'read'>
export type Manageable = May<'manage'>

/** The row, if its viewer may do this. Refuses `otherwise`; people in the event are not told that they are not in it. */
export const requireMay = <Row extends { standing: Standing }, What extends Capability>(
  row: Row,
  what: What,
  otherwise: RefusalCode,
): Row & May<What> => {
  if (can(row.standing, what)) return row as Row & May<What>
  return refuse(otherwise === 'notInEvent' && can(row.standing, 'read') ? 'albumNotForYou' : otherwise)
}

/**
 * Something that may be hidden. `seenBy`: those who see such things of others, or else the album. `sealedFrom`: until a
 * time, and from whom. `waits`: nobody has approved it.
 */
type Hidable = {
  hiddenAt: Date | string | null
  authorId: number | null
  seenBy?: Capability
  sealedFrom?: string | null
  waits?: boolean
}

/**
 * Hidden things are visible only to their author and, unless sealed from everybody, to those who moderate; people who
 * only add photos see nothing but their own. Photos waiting for approval before the wall are on no screen.
 */
export const isShownTo = (
  viewer: { id: number; standing: Standing },
  { hiddenAt, authorId, seenBy = 'album', sealedFrom, waits }: Hidable,
) =>
  (hiddenAt === null && can(viewer.standing, waits ? 'seeWaiting' : seenBy)) ||
  authorId === viewer.id ||
  (can(viewer.standing, 'seeHidden') && sealedFrom !== 'everybody')
