import { createHash } from 'node:crypto'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { lockGuest } from '../guests-store.ts'
import { type NewDevice, openSessionFor } from '../sessions/sessions.ts'
import type { SignedIn } from '../sessions/sign-in.ts'
import * as store from './return-keys-store.ts'

/*
 * A guest account has no password: the key that its device keeps is its way back once the session has ended by itself.
 * Signing out ends it, with the sessions: see sessions-store.ts.
 */

const hashOfKey = (key: string) => createHash('sha256').update(`return\n${key}`).digest()

/** Keeps the key of the viewer's device, which must still be in the event. Refuses notGuest. */
export const storeReturnKey = async (
  tx: Transaction,
  viewer: Viewer,
  { eventId, key }: { eventId: number; key: string },
) => {
  if (!(await lockGuest(tx, viewer.id))) refuse('notGuest')
  await store.saveReturnKey(tx, viewer, { eventId, keyHash: hashOfKey(key) })
}

/**
 * Signs a device in by its key, and replaces the key. The next key is accepted as well: the first reply may be lost.
 * Refuses badCode, whatever became of the key or the account.
 */
export const returnByKey = (db: Db, keys: { key: string; nextKey: string }, device: NewDevice): Promise<SignedIn> =>
  transact(db, async tx => {
    const hashes = { keyHash: hashOfKey(keys.key), nextHash: hashOfKey(keys.nextKey) }
    const userId = (await store.findByKey(tx, hashes)) ?? refuse('badCode')
    // The account is locked first, as by whatever ends its keys.
    if (!(await lockGuest(tx, userId))) refuse('badCode')
    const key = (await store.replaceKey(tx, userId, hashes, device.deviceId)) ?? refuse('badCode')
    return { userId, session: await openSessionFor(tx, userId, device, key.let_in ?? undefined) }
  })

/** Somebody was removed from the event that the keys were made for. */
export const endReturnKeysOf = store.endReturnKeysOf
