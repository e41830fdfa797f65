import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, allValues, run } from '../../platform/database/rows.ts'
import { listed } from '../event-list-sql.ts'
import type { Range } from '../store.ts'

/* The SQL of invitations. Writes expect the event to be locked (lockEvent). */

/** Creates invitations for those who are not in the event and have none pending; returns their IDs. */
export const addInvitations = (
  tx: Transaction,
  {
    eventId,
    by,
    ids,
    organizers,
  }: { eventId: number; by: number; ids: readonly number[]; organizers: readonly number[] },
) => allValues<number>(tx)`
    insert into invitations (event_id, user_id, invited_by, organizes)
    select ${eventId}, invited.id, ${by}, invited.id = any(${organizers}::bigint[]) from unnest(${ids}::bigint[]) invited (id)
    where not exists (select from members m
      where m.event_id = ${eventId} and m.user_id = invited.id)
    on conflict (event_id, user_id) do update
      set status = 'open', invited_by = excluded.invited_by, organizes = excluded.organizes, created_at = now(), updated_at = now()
    where invitations.status <> 'open' returning user_id`

/** People invited to organize the event, and their inviters. */
export const invitedToOrganize = (tx: Transaction, eventId: number, ids: readonly number[]) =>
  allRows<{ user_id: number; invited_by: number }>(tx)`
    select user_id, invited_by from invitations
    where event_id = ${eventId} and user_id = any(${ids}::bigint[]) and status = 'open' and organizes`

export type InvitationEnd = 'accepted' | 'declined' | 'withdrawn'

/** Ends the pending invitations of these people. */
export const endInvitations = (tx: Transaction, eventId: number, ids: readonly number[], status: InvitationEnd) =>
  run(tx)`
    update invitations set status = ${status}, updated_at = now()
    where event_id = ${eventId} and user_id = any(${ids}::bigint[]) and status = 'open'`

/** Events to which one of two people has a pending invitation from the other, and who has it. */
export const openBetween = (tx: Transaction, one: number, other: number) =>
  allRows<{ event_id: number; user_id: number }>(tx)`
    select event_id, user_id from invitations
    where status = 'open' and (user_id, invited_by) in ((${one}, ${other}), (${other}, ${one}))
    order by event_id`

/**
 * Keeps the relations to these people unchanged until the transaction ends: anyone who blocks one of them waits, and so
 * does another request by the same inviter.
 */
export const holdPeople = (tx: Transaction, ids: readonly number[]) =>
  run(tx)`select from users where id = any(${ids}::bigint[]) order by id for no key update`

/** Invitations to an event that is deleted or not listed are as good as withdrawn, and come back with it. */
const isOpenTo = sql<boolean>`e.deleted_at is null and ${listed}`

/** This person's invitation, whatever became of it. */
export const findInvitation = (db: Db, userId: number, id: number) =>
  db
    .selectFrom('invitations')
    .innerJoin('events as e', 'e.id', 'invitations.event_id')
    .select(['invitations.event_id', 'invitations.status'])
    .where('invitations.id', '=', id)
    .where('invitations.user_id', '=', userId)
    .where(isOpenTo)
    .executeTakeFirst()

/** A person's pending invitations, newest first. */
export const listInvitations = (db: Db, userId: number, { offset, limit }: Range) =>
  db
    .selectFrom('invitations')
    .innerJoin('events as e', 'e.id', 'invitations.event_id')
    .select([
      'invitations.id',
      'invitations.event_id',
      'invitations.invited_by',
      'invitations.created_at',
      'invitations.updated_at',
    ])
    .where('invitations.user_id', '=', userId)
    .where('invitations.status', '=', 'open')
    .where(isOpenTo)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

export type InvitationRow = Awaited<ReturnType<typeof listInvitations>>[number]
