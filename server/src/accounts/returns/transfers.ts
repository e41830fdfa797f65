import { createHash, randomBytes } from 'node:crypto'
import { asciiDigits } from '@afterglow/contract/normalization'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse, Unauthenticated } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { lockGuest } from '../guests-store.ts'
import { requireOwnSession, requireProof } from '../proofs.ts'
import { endAllSessions, type NewDevice, openSessionFor } from '../sessions/sessions.ts'
import type { OwnCodes } from './own-codes.ts'
import * as store from './transfers-store.ts'

/*
 * Another device signs in with a code instead of a password: one that this device shows, one that a guest keeps, or one
 * by which an organizer lets a guest in again.
 */

const minutes = 10
const letInHours = 24
export const newCode = () => randomBytes(32).toString('base64url')

/** Codes typed from paper are shorter than any other code. */
const typedLengthMax = 30
const plain = (code: string) =>
  code.length > typedLengthMax ? code : asciiDigits(code).replaceAll(/[\s-]/g, '').toUpperCase()
export const hashOfCode = (code: string) =>
  createHash('sha256')
    .update(`transfer\n${plain(code)}`)
    .digest()

/** Refuses proveFirst, letInLately. Otherwise anyone who finds an unlocked phone could take over its account. */
export const makeTransfer = async (db: Db, viewer: Viewer) => {
  await requireProof(db, viewer)
  const code = newCode()
  const asked = { userId: viewer.id, deviceRow: viewer.deviceRow, codeHash: hashOfCode(code), minutes }
  const expiresAt = await store.saveTransfer(db, asked)
  if (!expiresAt) throw new Unauthenticated()
  return { code, expiresAt }
}

/** The code that a guest keeps; a new one if they wish, or if there is none that can be shown. Refuses notGuest, letInLately. */
export const keepOwnCode = (db: Db, codes: OwnCodes, viewer: Viewer, { renew }: { renew: boolean }): Promise<string> =>
  transact(db, async tx => {
    if (!(await lockGuest(tx, viewer.id))) refuse('notGuest')
    await requireOwnSession(tx, viewer)
    const kept = await store.findOwnCode(tx, viewer.id)
    const shown = kept && codes.codeOf(kept.nonce)
    if (kept && shown && !renew && hashOfCode(shown).equals(kept.code_hash)) return shown
    const nonce = randomBytes(16)
    const code = codes.codeOf(nonce)
    await store.saveOwnCode(tx, viewer.id, { codeHash: hashOfCode(code), nonce })
    return code
  })

/** Lets a guest in again with this code. Refuses notLetIn: see lets_in in the schema. */
export const letIn = async (
  tx: Transaction,
  of: { userId: number; eventId: number; madeBy: number; codeHash: Buffer },
): Promise<Date> => (await store.saveLetIn(tx, { ...of, hours: letInHours })) ?? refuse('notLetIn')

/** The account that a code signs in to. Refuses badCode. */
export const openTransfer = async (db: Db, code: string) =>
  (await store.findTransfer(db, hashOfCode(code))) ?? refuse('badCode')

/**
 * Signs a device in with a code, and ends the guest's own code if an organizer let them in. `twin` is the account that
 * this device used meanwhile: its sessions end, and it is erased if it holds nothing. The session of a person whom an
 * organizer added is an ordinary one: it does not depend on that organizer. Refuses badCode, also for the maker of the
 * code: nobody lets themselves in as somebody else.
 */
export const takeTransfer = (db: Db, code: string, device: NewDevice, twin?: Viewer) =>
  transact(db, async tx => {
    const taken = (await store.takeTransfer(tx, hashOfCode(code), device.deviceId)) ?? refuse('badCode')
    const { user_id: userId, let_in: letIn, added } = taken
    if (letIn && (twin?.id === letIn.by || !(await store.holdLetIn(tx, userId, letIn)))) refuse('badCode')
    const dependsOn = added ? null : letIn
    const session = await openSessionFor(tx, userId, device, dependsOn ?? undefined)
    if (dependsOn && taken.kind === 'organizer') {
      await store.endOwnCode(tx, userId)
      if (taken.first) await addJob(tx, 'tellLetIn', { userId, eventId: dependsOn.eventId, madeBy: dependsOn.by })
    }
    if (twin && twin.id !== userId && (await lockGuest(tx, twin.id))) {
      await endAllSessions(tx, twin.id)
      await addJob(tx, 'eraseTwin', { id: twin.id })
    }
    return { userId, session }
  })
