import type { audienceMay } from '@afterglow/contract/capabilities'
import type { ChannelEventKind } from '@afterglow/contract/realtime'
import { afterCommit, type Transaction } from '../platform/database/database.ts'
import { logChanges } from './announce-sql.ts'

/** Changes that the channel does not show, but that notify somebody. */
type QuietKind =
  | 'invitation.opened'
  | 'friend.requested'
  | 'report.made'
  | 'export.ready'
  | 'announcement.made'
  | 'reminder.due'
  | 'recap.due'
  | 'answer.wanted'
  | 'place.given'
  | 'photos.added'
  | 'photos.revealed'
  | 'photos.waiting'
  | 'photos.wanted'
  | 'message.pinned'
  | 'webhook.ended'
  | 'owner.offered'
  | 'return.asked'
  | 'guest.let_in'
  | 'owner.changed'
  | 'event.restored'
  | 'event.uncancelled'
  | 'event.unlisted'
  | 'event.listed'
  | 'link.paused'
export type ChangeKind = ChannelEventKind | QuietKind

/** Written by the database itself, for processes rather than people: a session has ended, somebody entered an event. */
type WrittenByDatabase = 'session.ended' | 'member.entered'

/** The audience of a change: some of those in the event, by what they may do (`audienceMay`), or one user. */
export type Change = {
  kind: ChangeKind
  audience: keyof typeof audienceMay | 'user'
  eventId?: number
  /** The recipient, for the audience `user`. */
  userId?: number
  /** The actor. */
  actorId: number
  /** The message, photo, comment, chat, event or user that it is about. */
  subjectId: number
  /** Data that cannot be read later, such as the owner of a removed reaction. */
  detail?: unknown
  /** It may notify: its notifications are decided separately, soon after the commit. */
  notify?: true
}

/** A change in the log. */
export type ChangeRow = {
  id: number
  kind: ChangeKind | WrittenByDatabase
  audience: Change['audience']
  event_id: number | null
  user_id: number | null
  actor_id: number
  subject_id: number
  // biome-ignore lint/suspicious/noExplicitAny: each kind's own, written and read by the slice that announces it.
  detail: any
}

/**
 * Writes changes to the log in the transaction of their act, so that they are announced if and only if it commits. Lock
 * everything that conflicts with the act first: then the IDs of two such changes follow the order of their acts.
 */
export const announce = async (tx: Transaction, changes: Change | readonly Change[]): Promise<void> => {
  const given = [changes].flat()
  if (given.length === 0) return
  await logChanges(tx, given)
  afterCommit(tx, notifyListeners)
}

/** As `announce`, at the latest with the next regular poll: many such changes then go out in one write to each socket. */
export const announceSoon = async (tx: Transaction, changes: readonly Change[]): Promise<void> => {
  if (changes.length > 0) await logChanges(tx, changes)
}

const listeners = new Set<() => void>()
export const notifyListeners = () => {
  for (const listener of listeners) listener()
}

const underWay = new Set<Promise<unknown>>()

/** Marks work that will announce as soon as it commits: a large delivery may wait for it. */
export const soonAnnounced = <Result>(work: Promise<Result>): Promise<Result> => {
  underWay.add(work)
  const done = () => void underWay.delete(work)
  work.then(done, done)
  return work
}

/** Resolves when the currently marked work has ended; undefined if there is none. */
export const announcementsUnderWay = (): Promise<unknown> | undefined =>
  underWay.size === 0 ? undefined : Promise.allSettled(underWay)

/** Calls back after every commit of this process that announced something. Returns an unsubscribe function. */
export const whenAnnounced = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
