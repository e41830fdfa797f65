import { type Reason, reasons } from '@afterglow/contract/reasons'
import { announce } from '../log/announce.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { clearSoon } from './delivery/clearing.ts'
import { skipWaiting } from './delivery/deliveries-store.ts'
import { excerpt } from './excerpt.ts'
import type { NotificationKind } from './notices.ts'
import {
  findNotification,
  type Gone,
  markRead,
  markWithdrawn,
  notifiedAmong,
  rewriteRows,
  type Seen,
  takeFromBursts,
  type Which,
  withdrawNewest,
} from './notifications-store.ts'

/** Marks one of the viewer's notifications as read and returns it. Repeating it has no effect. */
export const readNotification = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await read(tx, viewer.id, { id })
    return (await findNotification(tx, viewer.id, id)) ?? refuse('noSuchNotification')
  })

export const readAllNotifications = (db: Db, viewer: Viewer) => transact(db, tx => read(tx, viewer.id, {}))

/** Notifications that an act reads: seeing a chat reads the notifications about it. Message IDs rise with time. */
export type About = { kinds: readonly NotificationKind[]; eventId?: number; subjectId?: number; subjectIdMax?: number }

/** Marks as read what the user has seen elsewhere, such as the messages of a chat up to one. */
export const readAbout = (tx: Transaction, userId: number, { subjectId, ...about }: About) =>
  read(tx, userId, { ...about, ...(subjectId !== undefined && { subjectIds: [subjectId] }) })

/** The same for many users; one statement if none of them has been notified. */
export const readAllAbout = async (db: Db, kinds: readonly NotificationKind[], all: readonly Seen[]) => {
  for (const { userId, ...seen } of await notifiedAmong(db, kinds, all))
    await transact(db, tx => readAbout(tx, userId, { kinds, ...seen }))
}

export type { Seen }

/** The list of IDs on the channel is limited; the unread count covers the rest. */
const idsTold = 1000

const read = async (tx: Transaction, userId: number, which: Which) => {
  const ids = await markRead(tx, userId, which)
  if (ids.length === 0) return
  await skipWaiting(tx, ids, reasons.read)
  await clearSoon(tx, ids)
  await announceGone(tx, [{ userId, ids }])
}

/** Other devices remove what was read or withdrawn. */
const announceGone = (tx: Transaction, gone: readonly { userId: number; ids: readonly number[] }[]) =>
  announce(
    tx,
    gone.map(({ userId, ids }) => ({
      kind: 'notification.read',
      audience: 'user',
      userId,
      actorId: userId,
      subjectId: ids[0] as number,
      detail: { ids: ids.slice(-idsTold) },
    })),
  )

type Deleted = { eventId: number; kinds: readonly NotificationKind[]; subjectIds: readonly number[]; gone: Gone }

/**
 * Withdraws notifications about deleted messages, photos or comments: nothing of them is shown or rings any more. If
 * one stands for a burst whose newest text this was, it says what became of that.
 */
export const withdrawDeleted = async (tx: Transaction, { gone, ...which }: Deleted) => {
  await withdrawNewest(tx, which, gone)
  await withdraw(tx, which, reasons.deleted)
}

type Edited = { eventId: number; kinds: readonly NotificationKind[]; subjectId: number; text: string }

/**
 * Replaces the text of notifications, read or unread, and of unsent pushes, with the edited words: what somebody no
 * longer says cannot be read anywhere.
 */
export const rewriteNotifications = async (tx: Transaction, { eventId, kinds, subjectId, text }: Edited) => {
  await rewriteRows(tx, { eventId, kinds, subjectIds: [subjectId] }, excerpt(text))
}

/** Withdraws every notification with these tags of an event, however many acts it stands for. */
export const withdrawTagged = (
  tx: Transaction,
  eventId: number,
  tags: readonly string[],
  fate: 'answered' | 'deleted' | 'hidden' | 'gone' | 'takenBack' = 'deleted',
) => withdraw(tx, { eventId, tags }, reasons[fate])

/**
 * Withdraws notifications of this event: everybody's or only some people's, all kinds or only some. People who are out
 * are not notified any more.
 */
export const withdrawOfEvent = (tx: Transaction, eventId: number, only: Pick<Which, 'userIds' | 'kinds'> = {}) =>
  withdraw(tx, { eventId, ...only }, reasons.outside)

export type TakenBack = { userId: number; tag: string; actorId: number }

/**
 * Withdraws somebody's unread notification about a like or a reaction: it is removed from every device. A read one
 * stays. If it stands for a burst, the others' part stays with a text that names nobody.
 */
export const takeBack = async (tx: Transaction, { userId, tag, actorId }: TakenBack) => {
  const told = { userIds: [userId], tags: [tag], unread: true } as const
  await withdraw(tx, { ...told, actorIds: [actorId], single: true }, reasons.takenBack)
  await takeFromBursts(tx, told, actorId)
}

type RequestNotice = { kind: NotificationKind; eventId?: number; userId?: number; actorIds: readonly number[] }

/**
 * Withdraws notifications about one user's request to others, such as a join request that was withdrawn or answered.
 */
export const withdrawRequest = (tx: Transaction, { kind, eventId, userId, actorIds }: RequestNotice) =>
  withdraw(
    tx,
    { kinds: [kind], subjectIds: actorIds, eventId, ...(userId !== undefined && { userIds: [userId] }) },
    reasons.answered,
  )

/** Withdraws the notifications of two users about each other, when one blocks the other. */
export const withdrawBetween = (tx: Transaction, one: number, other: number) =>
  withdraw(tx, { userIds: [one, other], actorIds: [one, other], byOthers: true }, reasons.blocked)

/** Withdraws all notifications about one user's acts. */
export const withdrawOfActor = (tx: Transaction, actorId: number) =>
  withdraw(tx, { actorIds: [actorId], byOthers: true }, reasons.actorErased)

const withdraw = async (tx: Transaction, which: Which, outcome: Reason) => {
  const gone = await markWithdrawn(tx, which, outcome)
  if (gone.length === 0) return
  await skipWaiting(
    tx,
    gone.map(({ id }) => id),
    outcome,
  )
  const unread = Map.groupBy(
    gone.filter(one => one.was_unread),
    one => one.user_id,
  )
  await clearSoon(
    tx,
    gone.map(({ id }) => id),
  )
  await announceGone(
    tx,
    [...unread].map(([userId, ones]) => ({ userId, ids: ones.map(({ id }) => id) })),
  )
}
