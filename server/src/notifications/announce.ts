import type { ChannelEventKind } from '@afterglow/contract/realtime'
import { afterCommit, type Transaction } from '../platform/database/database.ts'
import { logChanges } from './announce-sql.ts'

/** What nobody sees happen on the channel, but somebody is notified of. */
type QuietKind =
  | 'invitation.opened'
  | 'friend.requested'
  | 'report.made'
  | 'export.ready'
  | 'announcement.made'
  | 'reminder.due'
  | 'recap.due'
  | 'photos.added'
  | 'message.pinned'
  | 'webhook.ended'
export type ChangeKind = ChannelEventKind | QuietKind

/** What the database itself writes, for the processes and not for people: a session has ended, somebody is in an event. */
type WrittenByDatabase = 'session.ended' | 'member.entered'

/** What an act tells others: everybody in the event, its organizers, or one user. */
export type Change = {
  kind: ChangeKind
  audience: 'event' | 'organizers' | 'user'
  eventId?: number
  /** Who is told, with the audience `user`. */
  userId?: number
  /** Who did it. */
  actorId: number
  /** The message, photo, comment, chat, event or user that it is about. */
  subjectId: number
  /** What could not be read again later, such as whose reaction it was. */
  detail?: unknown
  /** It may ring: the notices of it are decided apart, soon after the commit. */
  notify?: true
}

/** A change as it stands in the log. */
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
 * Writes changes to the log in the transaction of their act, so that they are told if and only if it commits.
 * What conflicts with the act must be locked before: then the ids of two such changes stand in the order of their acts.
 */
export const announce = async (tx: Transaction, changes: Change | readonly Change[]): Promise<void> => {
  const given = [changes].flat()
  if (given.length === 0) return
  await logChanges(tx, given)
  afterCommit(tx, tellListeners)
}

const listeners = new Set<() => void>()
export const tellListeners = () => {
  for (const listener of listeners) listener()
}

const underWay = new Set<Promise<unknown>>()

/** Marks work that announces as soon as it commits: who tells many may wait for it. */
export const soonAnnounced = <Result>(work: Promise<Result>): Promise<Result> => {
  underWay.add(work)
  const done = () => void underWay.delete(work)
  work.then(done, done)
  return work
}

/** Resolves when what is marked now has ended; undefined when nothing is. */
export const announcementsUnderWay = (): Promise<unknown> | undefined =>
  underWay.size === 0 ? undefined : Promise.allSettled(underWay)

/** Calls back after every commit of this process that announced something. Returns how to stop. */
export const whenAnnounced = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
