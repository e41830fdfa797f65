import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import type { Logger } from 'pino'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import { addJob, limited } from '../../platform/jobs/jobs.ts'
import { demandFresh, mailLimits } from '../../platform/mail/mail-limits.ts'
import { type Mailer, MailRefused } from '../../platform/mail/mailer.ts'
import { daysToUndo, readEmailChange } from '../recovery/email-undo-store.ts'
import { hashOfCode, newCode, type Purpose } from './codes.ts'
import { type EventCard, mailFor, type Subject } from './mail-content.ts'
import * as store from './mail-store.ts'

/** A mail to be sent, without the code it will contain: no secret waits in the queue or lies in a backup of it. */
export type DueMail =
  | { about: 'verifyEmail'; userId: number }
  | { about: 'passwordChanged' | 'emailChanged'; userId: number }
  | { about: 'loginOptionAdded'; userId: number; provider: string }
  | { about: 'resetPassword' }
  | { about: 'invitation'; inviter: string; inviterId: number; event: string; linkId: number }

type Envelope = { address: string; language: Locale }
type Payload = DueMail & Envelope & { askedAt: number }

const limits: store.MailLimits = { addressPerHour: 5, addressPerDay: 20, userPerDay: 300, bySamePerDay: 20 }
/**
 * These are only sent to verified addresses, after an act of the owner's session: none may be withheld from the owner.
 */
const alwaysTold = new Set<DueMail['about']>(['passwordChanged', 'emailChanged', 'loginOptionAdded'])
const minutesOf: Record<Purpose, number> = { verify: 24 * 60, reset: 30, undo: daysToUndo * 24 * 60 }
/** How long a mail is tried: while its words are true. What tells of an attack is worth knowing days later. */
const hoursTried: Record<DueMail['about'], number> = {
  verifyEmail: 24,
  passwordChanged: 7 * 24,
  emailChanged: 7 * 24,
  loginOptionAdded: 7 * 24,
  resetPassword: 6,
  invitation: 3 * 24,
}

/**
 * Sends a mail if the transaction commits. Returns false, and sends nothing, if the address recently received too many
 * of its kind, or `byUserId` caused too many. The result must not be revealed to strangers: for password resets, it is
 * always true.
 */
export const mail = async (
  tx: Transaction,
  due: DueMail,
  {
    byUserId = null,
    most = {},
    ...envelope
  }: Envelope & { byUserId?: number | null; most?: Partial<store.MailLimits> },
): Promise<boolean> => {
  if (/\.invalid$/i.test(envelope.address)) return false
  const counted = { about: due.about, address: envelope.address, byUserId }
  if (!alwaysTold.has(due.about) && !(await store.countMail(tx, counted, { ...limits, ...most }))) return false
  const payload: Payload = { ...due, ...envelope, askedAt: Date.now() }
  await addJob(tx, 'sendMail', payload, { lane: laneOf(due) })
  return true
}

/**
 * A mail server that hangs occupies one job slot per lane, not all of them. Mails that people who cannot sign in are
 * waiting for never queue behind mails to many.
 */
const laneOf = ({ about }: DueMail) => (about === 'invitation' ? 'mailInvitation' : 'mail')

/**
 * Sends mails to strangers on somebody's behalf: refuses unprovenEmail unless their own address is verified. Few are
 * allowed on the first day and more each day, so that accounts created for this are worth little; and few to one
 * address from the same person.
 */
export const openMailInvitations = async (tx: Transaction, byUserId: number) => {
  const inviter = await store.readRecipient(tx, byUserId)
  if (inviter?.status !== userStatus.active) return refuse('unprovenEmail')
  const userPerDay = Math.min(limits.userPerDay, invitationsFirstDay * (1 + inviter.days_old))
  return (due: DueMail & { about: 'invitation' }, envelope: Envelope) =>
    mail(tx, due, { ...envelope, byUserId, most: { userPerDay, bySamePerDay: invitationsToOne } })
}

const invitationsFirstDay = 20
const invitationsToOne = 2

/** The code of a link, its path in this service, and its event; undefined if it no longer admits anyone. */
export type InvitationBy = (
  linkId: number,
) => Promise<{ code: string; path: string; card(language: Locale): EventCard } | undefined>

export type MailParts = {
  db: Db
  mailer: Mailer
  /** Links belong to events, which stand to the right. */
  invitationBy: InvitationBy
  /** Where links lead; null: mails contain codes without links. */
  publicUrl: string | null
  log: Pick<Logger, 'warn'>
}

export const mailTasks = ({ db, mailer, invitationBy, publicUrl, log }: MailParts) => ({
  sendMail: limited(mailLimits, async ({ askedAt, address, language, ...due }: Payload) => {
    demandFresh(due.about, askedAt, hoursTried[due.about])
    const written = await writeMail({ db, invitationBy, publicUrl }, due, { address, language })
    if (!written) return
    const { subject, name, path, to, about } = written
    const link = publicUrl !== null && path !== undefined ? publicUrl + path : undefined
    try {
      const letter = mailFor(subject, language, { ...(name && { name }), ...(link && { link }) })
      await mailer.send(to, letter, about)
    } catch (fault) {
      if (!(fault instanceof MailRefused)) throw fault
      log.warn({ about: due.about, reason: fault.message }, 'a mail was refused for good')
    }
  }),
})

type RenderedMail = { subject: Subject; name?: string; path?: string; to: string; about: number[] }

/** The mail as it is valid now; undefined if there is no longer anything to say. */
const writeMail = async (
  { db, invitationBy, publicUrl }: Pick<MailParts, 'db' | 'invitationBy' | 'publicUrl'>,
  due: DueMail,
  { address, language }: Envelope,
): Promise<RenderedMail | undefined> => {
  if (due.about === 'invitation') {
    const { linkId, inviterId, ...subject } = due
    const link = await invitationBy(linkId)
    if (!link) return undefined
    const { cover, ...card } = link.card(language)
    const shown = { ...card, ...(publicUrl !== null && { cover: publicUrl + cover }) }
    return { subject: { ...subject, code: link.code, card: shown }, path: link.path, to: address, about: [inviterId] }
  }
  const user =
    due.about === 'resetPassword' ? await store.findRecipient(db, address) : await store.readRecipient(db, due.userId)
  if (!user) return undefined
  // An attacker who registers a stranger's address chooses the name, so the mail contains none of their words.
  const of = { about: [user.id], ...(user.proven && { name: user.first_name }) }
  if (due.about === 'resetPassword') {
    if (user.status === userStatus.suspended || user.status === userStatus.guest) return undefined
    if ((await readEmailChange(db, user.id))?.proven === false) return undefined
    const code = await freshCode(db, user, 'reset')
    const path = `/reset-password#code=${code}`
    // As it is stored: what was typed only matches it by rules that no mail server knows.
    return { ...of, subject: { about: due.about, code }, path, to: user.email }
  }
  if (due.about === 'verifyEmail') {
    if (user.status !== userStatus.unverified || user.email !== address) return undefined
    const code = await freshCode(db, user, 'verify')
    return { ...of, subject: { about: due.about, code }, path: `/verify-email#code=${code}`, to: user.email }
  }
  // These go to the address as it was then, which was verified.
  const told = { ...of, name: user.first_name, to: address }
  if (due.about === 'loginOptionAdded') return { ...told, subject: due }
  if (due.about === 'emailChanged') {
    // The address has been changed again by someone who could prove it: this one has nothing to undo any more.
    if ((await readEmailChange(db, user.id))?.email_before !== address) return undefined
    const code = await freshCode(db, { id: user.id, email: address }, 'undo')
    return { ...told, subject: { about: due.about, code }, path: `/undo-email/${code}` }
  }
  return { ...told, subject: { about: due.about } }
}

/** Generated when it is sent: a retried mail contains a new code, and the previous one becomes invalid. */
const freshCode = async (db: Db, user: { id: number; email: string }, purpose: Purpose) => {
  const code = newCode()
  const codeHash = hashOfCode(purpose, code)
  await transact(db, tx =>
    store.saveCode(tx, { userId: user.id, purpose, codeHash, email: user.email, minutes: minutesOf[purpose] }),
  )
  return code
}
