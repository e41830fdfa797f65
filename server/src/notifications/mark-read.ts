import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { announce } from './announce.ts'
import { clearSoon } from './clearing.ts'
import { skipWaiting } from './deliveries-store.ts'
import { excerpt } from './excerpt.ts'
import type { NotificationKind } from './notices.ts'
import {
  findNotification,
  type Gone,
  markRead,
  markWithdrawn,
  retellRows,
  type Seen,
  takeFromBursts,
  toldAmong,
  type Which,
  withdrawNewest,
} from './notifications-store.ts'

/** Marks one of the viewer's notifications as read and returns it. Reading again changes nothing. */
export const readNotification = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await read(tx, viewer.id, { id })
    return (await findNotification(tx, viewer.id, id)) ?? refuse('noSuchNotification')
  })

export const readAllNotifications = (db: Db, viewer: Viewer) => transact(db, tx => read(tx, viewer.id, {}))

/** Which of a user's notifications an act has read: seeing a chat reads what it told. Ids of messages rise with time. */
export type About = { kinds: readonly NotificationKind[]; eventId?: number; subjectId?: number; subjectIdMax?: number }

/** Marks as read what the user has seen elsewhere, such as the messages of a chat up to one. */
export const readAbout = (tx: Transaction, userId: number, { subjectId, ...about }: About) =>
  read(tx, userId, { ...about, ...(subjectId !== undefined && { subjectIds: [subjectId] }) })

/** The same for many users; one statement as long as none of them was told anything. */
export const readAllAbout = async (db: Db, kinds: readonly NotificationKind[], all: readonly Seen[]) => {
  for (const { userId, ...seen } of await toldAmong(db, kinds, all))
    await transact(db, tx => readAbout(tx, userId, { kinds, ...seen }))
}

export type { Seen }

/** A list of ids on the channel is bounded; the count of what is left unread says the rest. */
const idsTold = 1000

const read = async (tx: Transaction, userId: number, which: Which) => {
  const ids = await markRead(tx, userId, which)
  if (ids.length === 0) return
  await skipWaiting(tx, ids, reasons.read)
  await clearSoon(tx, ids)
  await announceGone(tx, [{ userId, ids }])
}

/** Other devices clear what is read or taken back. */
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
 * Takes back notifications about messages, photos or comments that are deleted: nothing of them is shown or rings any
 * more. Where one stands for a burst whose newest text this was, it says what became of that.
 */
export const withdrawDeleted = async (tx: Transaction, { gone, ...which }: Deleted) => {
  await withdrawNewest(tx, which, gone)
  await withdraw(tx, which, reasons.deleted)
}

type Edited = { eventId: number; kinds: readonly NotificationKind[]; subjectId: number; text: string }

/**
 * Puts edited words in the place of those that were told, read or not, and of a push that has not left yet: what somebody
 * no longer says is nowhere to be read.
 */
export const retell = async (tx: Transaction, { eventId, kinds, subjectId, text }: Edited) => {
  await retellRows(tx, { eventId, kinds, subjectIds: [subjectId] }, excerpt(text))
}

/** Takes back everything that was told under these tags of an event, however many acts it stands for. */
export const withdrawTagged = (
  tx: Transaction,
  eventId: number,
  tags: readonly string[],
  fate: 'deleted' | 'hidden' | 'gone' | 'takenBack' = 'deleted',
) => withdraw(tx, { eventId, tags }, reasons[fate])

/**
 * Takes back what this event told: everybody or only some, everything or only some kinds. Who is out is told nothing more.
 */
export const withdrawOfEvent = (tx: Transaction, eventId: number, only: Pick<Which, 'userIds' | 'kinds'> = {}) =>
  withdraw(tx, { eventId, ...only }, reasons.outside)

export type TakenBack = { eventId: number; tag: string; actorId: number }

/**
 * Takes back what a like or a reaction told, as long as nobody has read it: it is cleared on every device. What was read
 * stays. Where it stands for a burst, the others' part stays under a text that names nobody.
 */
export const takeBack = async (tx: Transaction, { eventId, tag, actorId }: TakenBack) => {
  const told = { eventId, tags: [tag], unread: true } as const
  await withdraw(tx, { ...told, actorIds: [actorId], single: true }, reasons.takenBack)
  await takeFromBursts(tx, told, actorId)
}

type Wish = { kind: NotificationKind; eventId?: number; userId?: number; actorIds: readonly number[] }

/** Takes back what one user's wish told others, such as a request to join that was withdrawn or answered. */
export const withdrawWish = (tx: Transaction, { kind, eventId, userId, actorIds }: Wish) =>
  withdraw(
    tx,
    { kinds: [kind], subjectIds: actorIds, eventId, ...(userId !== undefined && { userIds: [userId] }) },
    reasons.answered,
  )

/** Takes back what two users told each other, when one blocks the other. */
export const withdrawBetween = (tx: Transaction, one: number, other: number) =>
  withdraw(tx, { userIds: [one, other], actorIds: [one, other], byOthers: true }, reasons.blocked)

/** Takes back everything that one user's acts told others. */
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
