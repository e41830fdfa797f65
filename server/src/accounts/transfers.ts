import { createHash, randomBytes } from 'node:crypto'
import { type Db, transact } from '../platform/database/database.ts'
import { refuse, Unauthenticated } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { demandProof } from './proofs.ts'
import { type NewDevice, openSession } from './sessions.ts'
import * as store from './transfers-store.ts'

/* Another device signs in with a code that this one shows: the only way for a guest, who has no password. */

const minutes = 10
const hashOfCode = (code: string) => createHash('sha256').update(`transfer\n${code}`).digest()

/** Refuses proveFirst. Otherwise anyone who finds an unlocked phone could take over its account. */
export const makeTransfer = async (db: Db, viewer: Viewer) => {
  await demandProof(db, viewer)
  const code = randomBytes(32).toString('base64url')
  const asked = { userId: viewer.id, deviceRow: viewer.deviceRow, codeHash: hashOfCode(code), minutes }
  const expiresAt = await store.saveTransfer(db, asked)
  if (!expiresAt) throw new Unauthenticated()
  return { code, expiresAt }
}

/** Whose account a code signs in to. Refuses badCode. */
export const openTransfer = async (db: Db, code: string) =>
  (await store.findTransfer(db, hashOfCode(code))) ?? refuse('badCode')

/** Signs a device in with a code. Refuses badCode. */
export const takeTransfer = (db: Db, code: string, device: NewDevice) =>
  transact(db, async tx => {
    const userId = (await store.takeTransfer(tx, hashOfCode(code), device.deviceId)) ?? refuse('badCode')
    return { userId, session: await openSession(tx, userId, device) }
  })
