import type { NotificationKind } from '../notices.ts'

/*
 * At most this many rings an hour, spent on the most important: what concerns the person waits for the next ring, the
 * rest arrives silently.
 */

/** Rings in spite of mutes, quiet hours and the hour's rings, of which it uses up none. */
export const throughMutes: readonly NotificationKind[] = ['test', 'announcement']
export const isThroughMutes = (kind: string): boolean => (throughMutes as readonly string[]).includes(kind)

export const ringsPerHourDefault = 6
export const hourMs = 60 * 60_000

/** Lower is more important. */
const ranks: Record<NotificationKind, number> = {
  announcement: 0,
  mention: 1,
  comment_mention: 1,
  event_cancelled: 1,
  event_uncancelled: 1,
  event_changed: 1,
  event_deleted: 1,
  event_restored: 2,
  event_unlisted: 2,
  event_listed: 2,
  link_paused: 1,
  owner_offered: 1,
  owner_changed: 2,
  owner_made: 1,
  guest_removed: 1,
  organizer_unmade: 1,
  message_reply: 2,
  comment_reply: 2,
  invitation: 2,
  join_request: 2,
  join_approved: 2,
  return_request: 2,
  let_in_again: 1,
  join_rejected: 2,
  friend_request: 2,
  report: 2,
  export_ready: 2,
  webhook_off: 2,
  test: 2,
  place_given: 1,
  reminder: 3,
  answer_wanted: 3,
  photos_added: 4,
  photos_revealed: 3,
  photos_waiting: 2,
  photos_wanted: 4,
  message_pinned: 4,
  recap: 4,
  message: 5,
  photo_comment: 6,
  message_reaction: 7,
  comment_reaction: 7,
  photo_like: 7,
}
const waitingRankMax = 3

export const rankOf = (kind: string): number => ranks[kind as NotificationKind] ?? 7
/** It rings as soon as a ring is left; everything else is folded if there is none. */
export const waitsForRing = (kind: string): boolean => rankOf(kind) <= waitingRankMax

export type Budget = {
  perHour: number
  /** When somebody was rung, in milliseconds. */
  rungAt: readonly number[]
  /** How many more important ones are waiting for a ring. */
  waiting: number
  /** When somebody outside the person's circle last rang, in milliseconds. */
  strangerRungAt?: number | null
  /** Where each of the rings came from, in their order; null: from nobody. */
  rungBy?: readonly (string | null)[]
}

/** All people outside one's circle together ring once an hour. */
export const introductions: readonly NotificationKind[] = ['friend_request', 'invitation', 'join_request']

/** `source`: the person, or all who came by one link without a password; null: nobody. */
export type Due = { kind: string; fromStranger?: boolean; source?: string | null }

/** The last third of an hour's rings is reserved for what concerns the person. */
const keptBack = (perHour: number) => Math.floor(perHour / 3)
/** No source takes more, so that friends still ring however often it tries. */
const shareOfSource = (perHour: number) => Math.max(1, Math.floor(perHour / 3))

/** Undefined: it rings now. Otherwise the earliest time at which it may; null: never. */
export const ringsFrom = (budget: Budget, due: Due, now: number): number | null | undefined => {
  if (isThroughMutes(due.kind)) return undefined
  if (budget.perHour === 0) return null
  const from = ringLeftFrom(budget, due.kind, now)
  const sharedFrom = shareLeftFrom(budget, due, now)
  return sharedFrom > now ? Math.max(sharedFrom, from ?? 0) : from
}

/** The earliest time at which a source has rings left: its share of the hour, and one for all strangers. */
export const shareLeftFrom = ({ perHour, rungAt, rungBy = [], strangerRungAt }: Budget, due: Due, now: number) => {
  const strangersFrom = due.fromStranger && strangerRungAt ? strangerRungAt + hourMs : 0
  const own = rungAt.filter((at, n) => due.source && rungBy[n] === due.source && at > now - hourMs)
  const used = own.sort((a, b) => b - a)[shareOfSource(perHour) - 1]
  return Math.max(strangersFrom, used === undefined ? 0 : used + hourMs)
}

const ringLeftFrom = ({ perHour, rungAt, waiting }: Budget, kind: string, now: number): number | undefined => {
  const recent = rungAt.filter(at => at > now - hourMs).sort((a, b) => a - b)
  const better = waitsForRing(kind)
  const most = better ? perHour : perHour - keptBack(perHour)
  const used = recent.length + (better ? 0 : waiting)
  if (used < most) return undefined
  // As soon as enough of the rings are an hour old that one is left.
  return (recent[Math.min(used - most, recent.length - 1)] ?? now) + hourMs
}
