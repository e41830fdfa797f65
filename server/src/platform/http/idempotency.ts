import { createHash } from 'node:crypto'
import { idempotencyKeyLengthMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import { type Database, type Db, type Transaction, transact } from '../database/database.ts'
import type { ReceivedFile } from '../media/received-file.ts'
import { Unreadable } from './refusals.ts'

export type IdempotentRequest = {
  userId: number
  operation: string
  key: string
  /** It may have to read files, so nobody waits for it before there is something to compare. */
  fingerprint(): Promise<Buffer>
}
export type Kept = { status: number; body: unknown }

/** The caller's key, or undefined. Throws Unreadable for one that is too short, too long or not printable. */
export const idempotencyKeyOf = (header: string | string[] | undefined, least = 1): string | undefined => {
  if (header === undefined) return undefined
  if (
    typeof header !== 'string' ||
    header.length < least ||
    header.length > idempotencyKeyLengthMax ||
    !/^[\x20-\x7e]+$/.test(header)
  )
    throw new Unreadable(`The Idempotency-Key must have ${least} to ${idempotencyKeyLengthMax} printable characters.`)
  return header
}

/** Passwords and PINs are left out: a fast hash of one must not be stored. A repeat with a password proves it again. */
const withoutPasswords = (field: string, value: unknown) =>
  field.includes('password') || field === 'pin' ? undefined : value

/** Files by field. */
export type Contents = Record<string, Pick<ReceivedFile, 'sha256'>[]>

/** Repeating a request gives the same fingerprint: its fields as parsed, and its files by content. */
export const fingerprintOf = (input: unknown, files: Contents): Buffer => {
  const sums = Object.entries(files)
    .map(([field, list]) => [field, list.map(file => file.sha256)])
    .sort()
  return createHash('sha256')
    .update(JSON.stringify([input, sums], withoutPasswords))
    .digest()
}

/** A key may be all it takes to sign somebody in again (joining by link), so it is stored like a token. */
const hashOf = (key: string) => createHash('sha256').update(key).digest()

const find = (db: Db, { userId, operation, key }: IdempotentRequest) =>
  db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'reply'])
    .where('user_id', '=', userId)
    .where('operation', '=', operation)
    .where('key_hash', '=', hashOf(key))
    .where(living)
    .executeTakeFirst()

const living = sql<boolean>`idempotency_keys.created_at >= now() - interval '24 hours'`

/**
 * Columns of a table that stores the key with the created row, instead of using `idempotency_keys`: hashes, shortened,
 * because every row has them.
 */
export type RowKey = { key: Buffer; fingerprint: Buffer }
export const rowKeyOf = async ({ key, fingerprint }: IdempotentRequest): Promise<RowKey> => ({
  key: hashOf(key).subarray(0, 16),
  fingerprint: (await fingerprint()).subarray(0, 8),
})

export const refuseOtherRequest = (): never => {
  throw new Unreadable('The Idempotency-Key was used before with another request.')
}

/** The first reply to this key, or undefined. Throws Unreadable if the key was used for a different request. */
export const keptReply = async (db: Db, keyed: IdempotentRequest): Promise<Kept | undefined> => {
  const first = await find(db, keyed)
  if (!first) return undefined
  if (!first.fingerprint.equals(await keyed.fingerprint())) refuseOtherRequest()
  return { status: first.status ?? 200, body: first.reply }
}

/**
 * Runs an act at most once for its key, with the stored reply written in the act's own transaction. A concurrent twin
 * waits on the first one's row and gets undefined; if the first fails, its row disappears with it and the twin runs.
 */
export const once = async (
  db: Database,
  keyed: IdempotentRequest,
  act: (tx: Transaction) => Promise<Kept>,
): Promise<Kept | undefined> => {
  const { userId, operation, key } = keyed
  const fingerprint = await keyed.fingerprint()
  return transact(db, async tx => {
    const taken = await sql`
      insert into idempotency_keys (user_id, operation, key_hash, fingerprint)
      values (${userId}, ${operation}, ${hashOf(key)}, ${fingerprint})
      on conflict (user_id, operation, key_hash) do update
        set fingerprint = excluded.fingerprint, status = null, reply = null, created_at = now()
        where not (${living})
      returning key_hash`.execute(tx)
    if (taken.rows.length === 0) return undefined
    const kept = await act(tx)
    await tx
      .updateTable('idempotency_keys')
      .set({ status: kept.status, reply: JSON.stringify(kept.body) })
      .where('user_id', '=', userId)
      .where('operation', '=', operation)
      .where('key_hash', '=', hashOf(key))
      .execute()
    return kept
  })
}
