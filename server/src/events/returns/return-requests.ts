import { can, type LinkRole } from '@afterglow/contract/capabilities'
import { hashOfCode as hashOfTransfer, letIn, newCode } from '../../accounts/returns/transfers.ts'
import { announce } from '../../log/announce.ts'
import { withdrawOfEvent } from '../../notifications/mark-read.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { refuse, TooMany } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, requireCapability } from '../access.ts'
import { audit } from '../audit/audit.ts'
import type { LinkCodes } from '../links/link-codes.ts'
import { requirePin, usableLink } from '../links/links.ts'
import * as members from '../members/members-store.ts'
import { lockEvent, readEvent } from '../store.ts'
import { becomeOne } from './claims.ts'
import * as store from './return-requests-store.ts'

/*
 * How guests without a password come back in a new browser: they say by the link who they are, an organizer lets them
 * in, and the code that they asked with signs them in, once.
 */

type Tools = { codes: LinkCodes; limits: RateLimits }
/** A visitor who could join by this link now. */
type Visitor = store.Introduction & { code: string; pin: string | undefined; network: string; device: string }

const yesPerHour = 20
const asksPerHour = 10
const hour = 3600

/** The link, to somebody who could join by it. */
const linkOf = async (db: Database, tools: Tools, { code, pin, network, device }: Visitor) => {
  const { proven } = await requirePin(db, tools, { code, pin, network, device })
  return usableLink(db, code, proven)
}

/** Viewers and uploaders by a link read no names of guests, and must not find them by trying. */
const makesGuests = ({ role }: { role: LinkRole }) => can(role, 'read')

/**
 * True if a guest without a password goes by this name. Anyone who could join may ask, and would read the names of all
 * guests by joining; so that nobody tries names instead, a network is told yes only so often, and then never.
 */
export const isNamesakeThere = async (db: Database, tools: Tools, visitor: Visitor): Promise<boolean> => {
  const link = await linkOf(db, tools, visitor)
  if (!makesGuests(link) || !(await store.hasNamesake(db, link.event_id, visitor))) return false
  try {
    await tools.limits.spend('namesakes', `${link.id} ${visitor.network}`, yesPerHour, hour)
    return true
  } catch (error) {
    if (error instanceof TooMany) return false
    throw error
  }
}

/** Asks the organizers; the answer is the same whether or not anybody of that name is there. Asking again has no effect. */
export const askToReturn = async (
  db: Database,
  tools: Tools,
  { returnCode, platform, ...visitor }: Visitor & { returnCode: string; platform: string },
) => {
  const link = await linkOf(db, tools, visitor)
  if (!makesGuests(link)) refuse('noSuchLink')
  const codeHash = hashOfTransfer(returnCode)
  if (!(await store.findReturnByCode(db, codeHash)))
    await tools.limits.spend('returns', `${link.id} ${visitor.network}`, asksPerHour, hour)
  await transact(db, async tx => {
    const { firstName, lastName, device } = visitor
    const asked = { firstName, lastName, device, platform, codeHash, eventId: link.event_id, days: store.daysToAnswer }
    const id = await store.insertReturn(tx, asked)
    if (id === undefined || !(await store.hasNamesake(tx, link.event_id, visitor))) return
    // One of the same name takes the place of an earlier one, and rings once a day.
    if (await store.replaceEarlier(tx, id)) return
    const about = { eventId: link.event_id, actorId: link.created_by, subjectId: id }
    await announce(tx, { kind: 'return.asked', audience: 'organizers', ...about, notify: true })
  })
  return readReturn(db, returnCode)
}

/** The state of a request. Refuses badCode. */
export const readReturn = async (db: Db, returnCode: string) =>
  (await store.findReturnByCode(db, hashOfTransfer(returnCode))) ?? refuse('badCode')

/** A request of an event that the viewer organizes, which nobody else answers meanwhile. Refuses noSuchReturn. */
const returnToAnswer = async (tx: Transaction, viewer: Viewer, id: number) => {
  const found = (await store.findReturn(tx, viewer.id, id)) ?? refuse('noSuchReturn')
  await lockEvent(tx, found.event_id)
  const event = await readEvent(tx, viewer.id, found.event_id)
  if (!event || !can(event.standing, 'invite')) refuse('noSuchReturn')
  return (await store.findReturn(tx, viewer.id, id)) ?? refuse('noSuchReturn')
}

/**
 * Lets the requester sign in as this guest. Repeating it has no effect. Refuses noSuchReturn, returnAnswered,
 * ownReturn, noSuchUser, notLetIn, claimed.
 */
export const approveReturn = (db: Db, viewer: Viewer, id: number, userId: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status, code_hash: codeHash, ...asked } = await returnToAnswer(tx, viewer, id)
    if (status === 'let_in' && asked.user_id === userId) return
    if (status !== 'asked') refuse('returnAnswered')
    if (asked.own) refuse('ownReturn')
    if (await store.isClaimed(tx, id, userId)) refuse('claimed')
    if (asked.asked_by === null) await letInAs(tx, viewer, { eventId, userId, codeHash })
    else await becomeOne(tx, viewer, { eventId, added: userId, by: asked.asked_by })
    await answered(tx, viewer, eventId, id, { status: 'let_in', userId })
  })

export const rejectReturn = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId, status } = await returnToAnswer(tx, viewer, id)
    if (status === 'refused') return
    if (status !== 'asked') refuse('returnAnswered')
    await answered(tx, viewer, eventId, id, { status: 'refused', userId: null })
  })

const answered = async (
  tx: Transaction,
  viewer: Viewer,
  eventId: number,
  id: number,
  answer: { status: 'let_in' | 'refused'; userId: number | null },
) => {
  await store.answerReturn(tx, id, { ...answer, by: viewer.id })
  const [waiting] = await store.listReturns(tx, eventId, { offset: 0, limit: 1 })
  if (!waiting) await withdrawOfEvent(tx, eventId, { kinds: ['return_request'] })
}

/** A code by which this guest comes in again, once. Refuses noSuchUser, notLetIn. */
export const letInAgain = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    requireCapability(await eventToChange(tx, viewer, eventId), 'invite')
    const code = newCode()
    return { code, expiresAt: await letInAs(tx, viewer, { eventId, userId, codeHash: hashOfTransfer(code) }) }
  })

const letInAs = async (
  tx: Transaction,
  viewer: Viewer,
  { eventId, userId, codeHash }: { eventId: number; userId: number; codeHash: Buffer },
) => {
  if (!(await members.findGuest(tx, eventId, userId))) refuse('noSuchUser')
  const expiresAt = await letIn(tx, { userId, eventId, madeBy: viewer.id, codeHash })
  await audit(tx, viewer, { act: 'guest.let_in', eventId, subjectId: userId, userId })
  return expiresAt
}

/** Tells the guest that the code was used: their other devices are the first to know. */
export const notifyLetIn = (db: Db, { userId, eventId, madeBy }: { userId: number; eventId: number; madeBy: number }) =>
  transact(db, tx =>
    announce(tx, {
      kind: 'guest.let_in',
      audience: 'user',
      userId,
      eventId,
      actorId: madeBy,
      subjectId: eventId,
      notify: true,
    }),
  )
