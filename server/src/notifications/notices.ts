import type { notificationKinds } from '@afterglow/contract/notifications'
import type { Reason } from '@afterglow/contract/reasons'
import type { Db, Transaction } from '../platform/database/database.ts'
import type { ChangeKind, ChangeRow } from './announce.ts'
import type { TextValues } from './texts.ts'

export type NotificationKind = (typeof notificationKinds)[number]

/**
 * What one change tells people, made by the slice that knows what happened. The engine leaves out the actor and who is
 * blocked either way (unless told otherwise), and tells nobody twice of one change: whom two notices name gets the first.
 */
export type Notice = {
  kind: NotificationKind
  to: readonly number[]
  /** What its text is made of, in no language. */
  values: TextValues
  /** Path of the client's page, such as `/events/7/chat`. */
  link: string
  eventId: number | null
  /** The message, photo, comment or user it is about. */
  subjectId: number | null
  /** Notices of one tag are one notification while that is unread. */
  tag: string
  /** How many acts it stands for; one unless told otherwise. */
  count?: number
  /**
   * Whose act it is, where that is not the change's actor, who is then told like others; null: nobody's, such as what the
   * clock tells, which everybody is told whomever they blocked.
   */
  actorId?: number | null
  /** Why they are told. */
  reason: Reason
  /** Who of them is told without a ring, and why. */
  silenced?: ReadonlyMap<number, Reason>
  /** It does not show who did it, and whom they blocked must not miss it. */
  despiteBlocks?: true
}

/**
 * The notices of changes of one kind, by change; none where nobody is to know (any more). It runs in the transaction that
 * writes the notifications, with the events held: what it reads of a message, photo or comment it locks for share, so
 * that a deletion comes after it, finds the notification and withdraws it.
 */
export type NoticeChanges = (
  tx: Transaction,
  changes: readonly ChangeRow[],
) => Promise<ReadonlyMap<number, readonly Notice[]>>

export type Noticing = Partial<Record<ChangeKind, NoticeChanges>>

/** By each of these people who has one: whom they blocked, and who blocked them. */
export type BlockedWith = (db: Db, userIds: readonly number[]) => Promise<ReadonlyMap<number, ReadonlySet<number>>>

/** The pictures of these photos that a push may show: a signed path each, none of a photo that is no more to be seen. */
export type PicturesOf = (db: Db, photoIds: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** Keeps who is in these events as it is until the transaction ends. Ids in rising order. */
export type HoldEvents = (tx: Transaction, eventIds: readonly number[]) => Promise<unknown>
