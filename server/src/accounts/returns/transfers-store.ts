import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { firstRow, firstValue, run } from '../../platform/database/rows.ts'
import type { LetInBy } from '../sessions/sessions.ts'

/* The SQL of codes that sign a device in: one of each kind per account, as a hash. */

/** `device`: another device of theirs shows it. `own`: a guest keeps it. `organizer`: lets a guest in again. */
type Kind = 'device' | 'own' | 'organizer'

type NewTransfer = { userId: number; deviceRow: number; codeHash: Buffer; minutes: number }

/** Replaces the previous one. Undefined if the session is over, or ends at the same moment: hence the lock. */
export const saveTransfer = (db: Db, { userId, deviceRow, codeHash, minutes }: NewTransfer) => firstValue<Date>(db)`
    insert into account_transfers (user_id, device_row, code_hash, expires_at)
    select user_id, id, ${codeHash}, now() + make_interval(mins => ${minutes})
    from devices where id = ${deviceRow} and user_id = ${userId} for key share
    on conflict (user_id, kind) do update set device_row = excluded.device_row, code_hash = excluded.code_hash,
      expires_at = excluded.expires_at, taken_by = null
    returning expires_at`

type LetIn = { userId: number; eventId: number; madeBy: number; codeHash: Buffer; hours: number }

/** Replaces the previous one. Undefined if the organizer may not let this guest in. */
export const saveLetIn = (tx: Transaction, { userId, eventId, madeBy, codeHash, hours }: LetIn) => firstValue<Date>(tx)`
    insert into account_transfers (user_id, kind, event_id, made_by, code_hash, expires_at)
    select ${userId}::bigint, 'organizer', ${eventId}::bigint, ${madeBy}::bigint, ${codeHash}::bytea,
      now() + make_interval(hours => ${hours})
    where lets_in(${madeBy}, ${userId}, ${eventId})
    on conflict (user_id, kind) do update set event_id = excluded.event_id, made_by = excluded.made_by,
      code_hash = excluded.code_hash, expires_at = excluded.expires_at, taken_by = null
    returning expires_at`

export const findOwnCode = (tx: Transaction, userId: number) => firstRow<{ code_hash: Buffer; nonce: Buffer }>(tx)`
    select code_hash, nonce from account_transfers where user_id = ${userId} and kind = 'own'`

/** It lasts until another one replaces it, or its account ends or gets a password. */
export const saveOwnCode = (
  tx: Transaction,
  userId: number,
  { codeHash, nonce }: { codeHash: Buffer; nonce: Buffer },
) => run(tx)`
    insert into account_transfers (user_id, kind, code_hash, nonce, expires_at)
    values (${userId}, 'own', ${codeHash}, ${nonce}, now() + interval '100 years')
    on conflict (user_id, kind) do update set code_hash = excluded.code_hash, nonce = excluded.nonce`

/** See hold_let_in in the schema. */
export const holdLetIn = async (tx: Transaction, userId: number, { by, eventId }: LetInBy) => {
  const { rows } = await sql<{ holds: boolean }>`select hold_let_in(${by}, ${userId}, ${eventId}) as holds`.execute(tx)
  return rows[0]?.holds === true
}

export const endOwnCode = (tx: Transaction, userId: number) =>
  run(tx)`delete from account_transfers where user_id = ${userId} and kind = 'own'`

const living = sql`t.expires_at > now()
  and exists (select from users u where u.id = t.user_id
    and case t.kind when 'device' then u.status <> 3 else u.status = 5 end)
  and (t.kind <> 'organizer' or lets_in(t.made_by, t.user_id, t.event_id))`

/** The account that an unused code signs in. */
export const findTransfer = (db: Db, codeHash: Buffer) => firstValue<number>(db)`
    select t.user_id from account_transfers t
    where t.code_hash = ${codeHash} and t.taken_by is null and ${living}`

export type Taken = {
  user_id: number
  kind: Kind
  /** Null if they sign in by themselves. Who lets a device in lets in those that it shows a code. */
  let_in: LetInBy | null
  /** Not a repeat of the same device. */
  first: boolean
  /** Nobody has come as this person before. */
  added: boolean
}

/**
 * Uses a code for a device: among several, the first wins. A guest’s own code is never used up. That of an organizer works
 * nowhere that the organizer is signed in.
 */
export const takeTransfer = (tx: Transaction, codeHash: Buffer, deviceId: string) => firstRow<Taken>(tx)`
    with code as (
      select t.user_id, t.kind, t.taken_by is null as first, u.added_to is not null as added,
        coalesce(t.made_by, d.let_in_by) as by, coalesce(t.event_id, d.let_in_event) as event_id
      from account_transfers t join users u on u.id = t.user_id left join devices d on d.id = t.device_row
      where t.code_hash = ${codeHash} and coalesce(t.taken_by, ${deviceId}) = ${deviceId} and ${living}
        and not exists (select from devices own where own.user_id = t.made_by and own.device_id = ${deviceId})
      for update of t
    ), used as (
      update account_transfers t set taken_by = ${deviceId} from code
      where t.user_id = code.user_id and t.kind = code.kind and t.kind <> 'own'
    )
    select user_id, kind, first, added, case when by is not null then json_build_object('by', by, 'eventId', event_id) end as let_in
    from code`
