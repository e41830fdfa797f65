import { type Reason, reasons } from '@afterglow/contract/reasons'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { announce } from './announcing.ts'
import { skipWaiting } from './deliveries-store.ts'
import { excerpt } from './excerpt.ts'
import type { NotificationKind } from './notices.ts'
import { findNotification, markRead, markWithdrawn, unread } from './notifications-store.ts'

/** Marks one of the viewer's notifications as read and returns it. Reading again changes nothing. */
export const readNotification = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    await read(tx, viewer.id, sql`id = ${id}`)
    return (await findNotification(tx, viewer.id, id)) ?? refuse('noSuchNotification')
  })

export const readAllNotifications = (db: Db, viewer: Viewer) => transact(db, tx => read(tx, viewer.id, sql`true`))

/** Which of a user's notifications an act has read: seeing a chat reads what it told. Ids of messages rise with time. */
export type About = { kinds: readonly NotificationKind[]; eventId?: number; subjectId?: number; subjectIdMax?: number }

/** Marks as read what the user has seen elsewhere, such as the messages of a chat up to one. */
export const readAbout = (tx: Transaction, userId: number, about: About) => read(tx, userId, whatIs(about))

/** What one user has seen of what an event told. */
export type Seen = { userId: number; eventId: number; subjectIdMax: number }

/** The same for many users; one statement as long as none of them was told anything. */
export const readAllAbout = async (db: Db, kinds: readonly NotificationKind[], all: readonly Seen[]) => {
  const { rows } = await sql<{ n: number }>`
    select n from unnest(${all.map(seen => seen.userId)}::bigint[], ${all.map(seen => seen.eventId)}::bigint[],
      ${all.map(seen => seen.subjectIdMax)}::bigint[]) with ordinality as seen (user_id, event_id, subject_id_max, n)
    where exists (select from notifications t where t.user_id = seen.user_id and ${unread}
      and t.kind = any(${kinds}::text[]) and t.event_id = seen.event_id
      and coalesce(t.subject_id, 0) <= seen.subject_id_max)`.execute(db)
  for (const { n } of rows) {
    const { userId, ...seen } = all[n - 1] as Seen
    await transact(db, tx => readAbout(tx, userId, { kinds, ...seen }))
  }
}

const whatIs = ({ kinds, eventId, subjectId, subjectIdMax }: About) => sql`
  kind = any(${kinds}::text[])
  ${eventId === undefined ? sql`` : sql`and event_id = ${eventId}`}
  ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
  ${subjectIdMax === undefined ? sql`` : sql`and coalesce(subject_id, 0) <= ${subjectIdMax}`}`

/** A list of ids on the channel is bounded; the count of what is left unread says the rest. */
const idsTold = 1000

const read = async (tx: Transaction, userId: number, condition: RawBuilder<unknown>) => {
  const ids = await markRead(tx, userId, condition)
  if (ids.length === 0) return
  await skipWaiting(tx, ids, reasons.read)
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

/**
 * Takes back notifications about messages, photos or comments that are deleted: nothing of them is shown or rings any
 * more. Where one stands for a burst whose newest text this was, `instead` takes the text's place.
 */
export const withdrawDeleted = async (
  tx: Transaction,
  {
    kinds,
    subjectIds,
    instead,
  }: { kinds: readonly NotificationKind[]; subjectIds: readonly number[]; instead: string },
) => {
  const about = sql`kind = any(${kinds}::text[]) and subject_id = any(${subjectIds}::bigint[])`
  await sql`
    with burst as (select id from notifications where withdrawn_at is null and ${about} and count > 1
      order by user_id, tag, id for update)
    update notifications n set count = count - 1, body = ${instead}, subject_id = null, updated_at = clock_timestamp()
    from burst where n.id = burst.id`.execute(tx)
  await withdraw(tx, about, reasons.deleted)
}

/**
 * Puts edited words in the place of those that were told, read or not, and of a push that has not left yet: what somebody
 * no longer says is nowhere to be read.
 */
export const retell = async (
  tx: Transaction,
  { kinds, subjectId, text }: { kinds: readonly NotificationKind[]; subjectId: number; text: string },
) => {
  await sql`
    with told as (select id from notifications
      where withdrawn_at is null and kind = any(${kinds}::text[]) and subject_id = ${subjectId}
      order by user_id, tag, id for update)
    update notifications n set body = ${excerpt(text)} from told where n.id = told.id`.execute(tx)
}

/** Takes back everything that was told under these tags of an event, however many acts it stands for. */
export const withdrawTagged = (
  tx: Transaction,
  eventId: number,
  tags: readonly string[],
  fate: 'deleted' | 'hidden' = 'deleted',
) => withdraw(tx, sql`event_id = ${eventId} and tag = any(${tags}::text[])`, reasons[fate])

/**
 * Takes back what this event told: everybody or only some, everything or only some kinds. Who is out is told nothing more.
 */
export const withdrawOfEvent = (
  tx: Transaction,
  eventId: number,
  { userIds, kinds }: { userIds?: readonly number[]; kinds?: readonly NotificationKind[] } = {},
) =>
  withdraw(
    tx,
    sql`event_id = ${eventId}
      ${userIds ? sql`and user_id = any(${userIds}::bigint[])` : sql``}
      ${kinds ? sql`and kind = any(${kinds}::text[])` : sql``}`,
    reasons.outside,
  )

export type TakenBack = { eventId: number; tag: string; actorId: number; instead: { title?: string; body?: string } }

/**
 * Takes back what a like or a reaction told, as long as nobody has read it: it is cleared on every device. What was read
 * stays. Where it stands for a burst, the others' part stays under a text that names nobody.
 */
export const takeBack = async (tx: Transaction, { eventId, tag, actorId, instead }: TakenBack) => {
  const told = sql`event_id = ${eventId} and tag = ${tag} and ${unread}`
  await withdraw(tx, sql`${told} and count = 1 and actor_id = ${actorId}`, reasons.takenBack)
  await sql`
    with burst as (select id from notifications where ${told} and count > 1 order by user_id, tag, id for update)
    update notifications n set count = count - 1, updated_at = clock_timestamp(),
      title = case when actor_id = ${actorId} then coalesce(${instead.title ?? null}, title) else title end,
      body = case when actor_id = ${actorId} then coalesce(${instead.body ?? null}, body) else body end
    from burst where n.id = burst.id`.execute(tx)
}

type Wish = { kind: NotificationKind; eventId?: number; userId?: number; actorIds: readonly number[] }

/** Takes back what one user's wish told others, such as a request to join that was withdrawn or answered. */
export const withdrawWish = (tx: Transaction, { kind, eventId, userId, actorIds }: Wish) =>
  withdraw(
    tx,
    sql`kind = ${kind} and subject_id = any(${actorIds}::bigint[])
      ${eventId === undefined ? sql`` : sql`and event_id = ${eventId}`}
      ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}`,
    reasons.answered,
  )

/** Takes back what two users told each other, when one blocks the other. */
export const withdrawBetween = (tx: Transaction, one: number, other: number) =>
  withdraw(
    tx,
    sql`user_id in (${one}, ${other}) and actor_id in (${one}, ${other}) and actor_id <> user_id`,
    reasons.blocked,
  )

/** Takes back everything that one user's acts told others. */
export const withdrawOfActor = (tx: Transaction, actorId: number) =>
  withdraw(tx, sql`actor_id = ${actorId} and user_id <> ${actorId}`, reasons.actorErased)

const withdraw = async (tx: Transaction, condition: RawBuilder<unknown>, outcome: Reason) => {
  const gone = await markWithdrawn(tx, condition, outcome)
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
  await announceGone(
    tx,
    [...unread].map(([userId, ones]) => ({ userId, ids: ones.map(({ id }) => id) })),
  )
}
