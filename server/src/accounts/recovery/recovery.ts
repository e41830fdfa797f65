import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { hashOfCode } from '../mail/codes.ts'
import { mail } from '../mail/mail-jobs.ts'
import * as codes from '../mail/mail-store.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { endAllSessions, endOtherSessions } from '../sessions/sessions.ts'
import * as store from '../store.ts'
import * as moves from './email-undo-store.ts'

/**
 * Mails a code to reset the password. The job that sends it looks up whether the address belongs to anybody: here,
 * known and unknown addresses do the same work, so neither the answer nor its timing reveals it.
 */
export const forgotPassword = (db: Db, email: string, language: Locale) =>
  transact(db, tx => mail(tx, { about: 'resetPassword' }, { address: email, language }))

/**
 * Resets the password with a mailed code and ends every session. The reader of the mailbox owns the account, so
 * anything attached to it before the address was verified is removed: somebody may have registered a stranger's address
 * and waited. For an account scheduled for deletion, its earlier state counts: the owner finds it as they left it.
 */
export const resetPassword = async (db: Database, asked: { code: string; password: string }, language: Locale) => {
  const codeHash = hashOfCode('reset', asked.code)
  const userId = (await codes.peekCode(db, 'reset', codeHash)) ?? refuse('badCode')
  const passwordHash = await hashPassword(asked.password)
  await transact(db, async tx => {
    await store.lockUser(tx, userId)
    const proven = await codes.takeCode(tx, userId, 'reset', codeHash)
    const { email, status, status_before } = await store.readAccount(tx, userId)
    if (proven !== email || !(await mayResetPassword(tx, userId))) refuse('badCode')
    if ((status_before ?? status) !== userStatus.active) await store.removeIdentities(tx, userId)
    await store.changeUser(tx, userId, { password_hash: passwordHash })
    await store.saveOwnLogin(tx, userId, email)
    await store.markVerified(tx, userId)
    await codes.endCodes(tx, userId)
    await endAllSessions(tx, userId)
    await mail(tx, { about: 'passwordChanged', userId }, { address: email, language })
  })
}

/** Notifies the owner, and ends every other session and every outstanding code. `viewer` keeps their own. */
export const replacePassword = async (
  tx: Transaction,
  viewer: Viewer,
  { passwordHash, keepsCalendar }: { passwordHash: string; keepsCalendar: boolean },
  language: Locale,
) => {
  await store.changeUser(tx, viewer.id, { password_hash: passwordHash })
  await codes.endCodes(tx, viewer.id)
  await endOtherSessions(tx, viewer, { keepsCalendar })
  await mailAccountChange(tx, viewer.id, { about: 'passwordChanged' }, language)
}

/**
 * Notifies somebody of an act on their account, if the address is verified: a stranger's address gets no such mails.
 */
export const mailAccountChange = async (
  tx: Transaction,
  userId: number,
  what: { about: 'passwordChanged' } | { about: 'loginOptionAdded'; provider: string },
  language: Locale,
) => {
  const { email, status } = await store.readAccount(tx, userId)
  if (status === userStatus.active) await mail(tx, { ...what, userId }, { address: email, language })
}

/**
 * Verifies the viewer's address. Only their own session can: a code that reached a stranger proves nothing for them.
 */
export const verifyEmail = (db: Db, viewer: Viewer, code: string) =>
  transact(db, async tx => {
    await store.lockUser(tx, viewer.id)
    const proven = await codes.takeCode(tx, viewer.id, 'verify', hashOfCode('verify', code))
    const { email } = await store.readAccount(tx, viewer.id)
    if (proven !== email) refuse('badCode')
    await store.markVerified(tx, viewer.id)
  })

/** Requests a verification code for an address; false if it received too many. */
export const requestVerification = (tx: Transaction, userId: number, email: string, language: Locale) =>
  mail(tx, { about: 'verifyEmail', userId }, { address: email, language, byUserId: userId })

export const resendVerification = (db: Db, viewer: Viewer, language: Locale) =>
  transact(db, async tx => {
    const { email, status } = await store.readAccount(tx, viewer.id)
    if (status !== userStatus.unverified) refuse('nothingToVerify')
    if (!(await requestVerification(tx, viewer.id, email, language))) refuse('tooManyMails')
  })

/** Not by an address that came to the account lately from a session that had proven nothing. */
export const mayResetPassword = async (db: Db, userId: number): Promise<boolean> =>
  (await moves.readEmailChange(db, userId))?.proven !== false

type EmailChange = { email: string; proven: boolean; language: Locale }

/**
 * After a change of address: it has to be verified anew, and its codes become invalid. The previous address, if it was
 * verified, is told and can undo the change. A thief who moves it again changes nothing about whom the account is given
 * back to.
 */
export const changedEmail = async (
  tx: Transaction,
  before: { id: number; email: string; status: number },
  { email, proven, language }: EmailChange,
) => {
  await codes.endCodes(tx, before.id)
  const earlier = await moves.readEmailChange(tx, before.id)
  const keepsEarlier = earlier?.proven === false && !proven
  if (before.status === userStatus.active) await store.changeUser(tx, before.id, { status: userStatus.unverified })
  if (!keepsEarlier) {
    await codes.endUndo(tx, before.id)
    await moves.saveEmailChange(tx, before.id, { email_before: before.email, proven })
    if (before.status === userStatus.active)
      await mail(tx, { about: 'emailChanged', userId: before.id }, { address: before.email, language })
  }
  if (before.status !== userStatus.guest) await requestVerification(tx, before.id, email, language)
}

/** True while a code from such a mail still undoes a change. */
export const mayUndoEmail = async (db: Db, code: string): Promise<boolean> =>
  (await codes.peekCode(db, 'undo', hashOfCode('undo', code))) !== undefined

/** Restores the previous address and ends every session, which locks out the person who changed it. */
export const undoEmail = async (db: Database, code: string) => {
  const codeHash = hashOfCode('undo', code)
  const userId = (await codes.peekCode(db, 'undo', codeHash)) ?? refuse('badCode')
  await transact(db, async tx => {
    await store.lockUser(tx, userId)
    const { email } = await store.readAccount(tx, userId)
    const before = (await codes.takeCode(tx, userId, 'undo', codeHash)) ?? refuse('badCode')
    if (!(await moves.restoreEmail(tx, userId, before))) refuse('badCode')
    await store.markVerified(tx, userId)
    await store.moveOwnLogin(tx, userId, { from: email, to: before })
    await moves.deleteEmailChange(tx, userId)
    await codes.endCodes(tx, userId)
    await endAllSessions(tx, userId)
  })
}
