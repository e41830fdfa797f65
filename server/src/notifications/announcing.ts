import type { ChannelEventKind } from '@afterglow/contract/realtime'
import { type RawBuilder, sql } from 'kysely'
import { afterCommit, type Transaction } from '../platform/database.ts'

/** What nobody sees happen on the channel, but somebody is notified of. */
type QuietKind = 'invitation.opened' | 'friend.requested' | 'report.made' | 'export.ready'
export type ChangeKind = ChannelEventKind | QuietKind

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
  kind: ChangeKind
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
  await sql`
    with given as materialized (
      select nextval(pg_get_serial_sequence('changes', 'id')) as id, g.*
      from json_to_recordset(${JSON.stringify(given)}::json) g (kind text, audience text, "eventId" bigint,
        "userId" bigint, "actorId" bigint, "subjectId" bigint, detail jsonb, notify boolean)
    ), logged as (
      insert into changes (id, kind, audience, event_id, user_id, actor_id, subject_id, detail)
      overriding system value
      select id, kind, audience, "eventId", "userId", "actorId", "subjectId", detail from given
    )
    insert into unnotified_changes (change_id) select id from given where notify`.execute(tx)
  afterCommit(tx, tellListeners)
}

/**
 * The same for a statement that does many acts at once, as CTEs of it. `rows` selects kind, audience, event_id, user_id,
 * actor_id, subject_id and detail, in the order of the acts, whose locks are held by then. Who runs it calls
 * `tellListeners` after the commit.
 */
export const announced = (rows: RawBuilder<unknown>, { notify }: { notify: boolean }) => sql`
  announced as (
    insert into changes (kind, audience, event_id, user_id, actor_id, subject_id, detail) ${rows} returning id
  ), to_notify as (
    insert into unnotified_changes (change_id) select id from announced where ${sql.lit(notify)}
  )`

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
