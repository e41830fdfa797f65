import type { notificationKinds } from '@afterglow/contract/notifications'
import type { Reason } from '@afterglow/contract/reasons'
import type { ChangeKind, ChangeRow } from '../log/announce.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import type { TextValues } from './texts.ts'

export type NotificationKind = (typeof notificationKinds)[number]

/**
 * The notification that one change causes, made by the slice that knows what happened. The engine leaves out the actor
 * and anyone with a block in either direction (unless told otherwise), and notifies nobody twice about one change:
 * somebody in two notices gets the first.
 */
export type Notice = {
  kind: NotificationKind
  to: readonly number[]
  /** The values of its text, independent of any language. */
  values: TextValues
  /** Path of the page in the web client, such as `/events/7/chat`. */
  link: string
  eventId: number | null
  /** The message, photo, comment or user it is about. */
  subjectId: number | null
  /** Notices with the same tag are one notification while that is unread. */
  tag: string
  /** How many acts it stands for; one by default. */
  count?: number
  /**
   * Whose act it is, if that is not the change's actor, who is then notified like others; null: nobody's, such as
   * scheduled notifications, which everybody gets whomever they blocked.
   */
  actorId?: number | null
  /** The reason. */
  reason: Reason
  /** Recipients who are notified without a ring, and why. */
  silenced?: ReadonlyMap<number, Reason>
  /** It does not show who did it, and people they blocked must not miss it. */
  despiteBlocks?: true
}

/**
 * The notices of changes of one kind, by change; none if nobody is to know (any more). Runs in the transaction that
 * writes the notifications, with the events locked: it takes a share lock on any message, photo or comment it reads, so
 * that a deletion comes after it, finds the notification and withdraws it.
 */
export type NoticeChanges = (
  tx: Transaction,
  changes: readonly ChangeRow[],
) => Promise<ReadonlyMap<number, readonly Notice[]>>

export type NoticeTemplates = Partial<Record<ChangeKind, NoticeChanges>>

/** For each of these people with any: whom they blocked, and who blocked them. */
export type BlockedWith = (db: Db, userIds: readonly number[]) => Promise<ReadonlyMap<number, ReadonlySet<number>>>

/**
 * Says for each pair whether they know each other: friends, or once guests of the same event. In the order of the
 * pairs.
 */
export type AreAcquainted = (
  db: Db,
  pairs: readonly (readonly [userId: number, otherId: number])[],
) => Promise<readonly boolean[]>

/**
 * The pictures of these photos that a push may show: a signed path each, none for a photo that is no longer visible.
 */
export type PicturesOf = (db: Db, photoIds: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** Keeps the membership of these events unchanged until the transaction ends. IDs in ascending order. */
export type HoldEvents = (tx: Transaction, eventIds: readonly number[]) => Promise<unknown>
