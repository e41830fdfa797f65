import { can, isForViewers, type LinkRole, ordinary } from '@afterglow/contract/capabilities'
import type { Locale } from '@afterglow/contract/languages'
import { sentence } from '@afterglow/contract/words'
import { openGuestAccount } from '../../accounts/guests.ts'
import { openMailInvitations } from '../../accounts/mail/mail-jobs.ts'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { requireProof } from '../../accounts/proofs.ts'
import { insertViewer } from '../../accounts/sessions/link-viewers.ts'
import type { NewDevice, Session } from '../../accounts/sessions/sessions.ts'
import { announce } from '../../log/announce.ts'
import type { BlockedWith } from '../../notifications/notices.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { invalid, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, maySee, requireCapability, requireListed, requirePlanned } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { addRequest, admit, admitNewAccount, requireRejoinAllowed } from '../members/join.ts'
import * as members from '../members/members-store.ts'
import { lockEvent, readEvent } from '../store.ts'
import { hashOfCode, type LinkCodes } from './link-codes.ts'
import * as store from './links-store.ts'
import { closeLink, closeLinks } from './opened-links.ts'

/* Join links: they admit anyone who has one, regardless of visibility and join mode. */

type LinkRequest = {
  eventId: number
  usesMax: number | null
  expiresAt: Date | null
  pin: string | undefined
  role: LinkRole
  photographer: boolean
  photosWait: boolean
  madeWithEvent: boolean
}

/** A link by which anybody becomes a guest, until it is closed. */
export const forGuests: Omit<LinkRequest, 'eventId'> = {
  usesMax: null,
  expiresAt: null,
  pin: undefined,
  role: ordinary,
  photographer: false,
  photosWait: true,
  madeWithEvent: false,
}
export const withEvent = { ...forGuests, madeWithEvent: true }

export const makeLink = (db: Db, codes: LinkCodes, viewer: Viewer, { pin, ...asked }: LinkRequest) =>
  transact(db, async tx => {
    const event = requireListed(
      requirePlanned(requireCapability(await eventToChange(tx, viewer, asked.eventId), 'invite')),
    )
    const nonce = codes.newNonce()
    const codeHash = hashOfCode(codes.codeOf(nonce))
    const pinMac = pin === undefined ? null : codes.pinMac(nonce, pin)
    const pinSealed = pin === undefined ? null : codes.sealPin(nonce, pin)
    const link = await store.insertLink(tx, event, { ...asked, codeHash, nonce, pinMac, pinSealed, by: viewer.id })
    if (!link) return invalid('expires_at', sentence.future)
    if (isForViewers(link.role)) await store.setViewer(tx, link.id, await insertViewer(tx, link.id))
    await audit(tx, viewer, { act: 'link.made', eventId: asked.eventId, subjectId: link.id })
    return link
  })

const mailedDays = 30

type Mailed = { eventId: number; addresses: readonly string[]; language: Locale }

/**
 * Mails each address a single-use link of its own. Returns how many mails will be sent: the number per address and per
 * day is limited. Refuses unprovenEmail.
 */
export const inviteByMail = (db: Db, codes: LinkCodes, viewer: Viewer, { eventId, addresses, language }: Mailed) =>
  transact(db, async tx => {
    const event = requirePlanned(requireCapability(await eventToChange(tx, viewer, eventId), 'invite'))
    const mail = await openMailInvitations(tx, viewer.id)
    const person = (await personsById(tx, [viewer.id])).get(viewer.id) as Person
    const inviter = [person.first_name, person.last_name].filter(Boolean).join(' ')
    const expiresAt = new Date(Date.now() + mailedDays * 86_400_000)
    let sent = 0
    for (const address of new Set(addresses.map(each => each.toLowerCase()))) {
      const link = await makeLink(tx, codes, viewer, {
        ...forGuests,
        eventId,
        usesMax: 1,
        expiresAt,
      })
      const letter = { about: 'invitation', inviter, inviterId: viewer.id, event: event.name, linkId: link.id } as const
      if (await mail(letter, { address, language })) sent += 1
      else await store.revoke(tx, link.id)
    }
    return sent
  })

/**
 * The content of an invitation mail, read when it is sent: a revoked link, or one to a cancelled event, is not mailed.
 */
export const invitationBy = async (db: Db, codes: LinkCodes, linkId: number) => {
  const link = await store.findLink(db, linkId)
  if (link?.status !== 'open' || link.cancelled || !link.listed) return undefined
  const code = codes.codeOf(link.nonce)
  const event = (await readEvent(db, nobody, link.event_id)) ?? undefined
  return event && { code, path: `/j/${code}`, event }
}
const nobody = 0

/** A link of an event that the viewer organizes. Refuses noSuchLink, notOrganizer. */
export const linkFor = async (db: Db, viewer: Viewer, id: number) => {
  const link = (await store.findLink(db, id)) ?? refuse('noSuchLink')
  const event = await readEvent(db, viewer.id, link.event_id)
  if (!event || !maySee(event)) return refuse('noSuchLink')
  requireCapability(event, 'invite')
  return link
}

/** Revoking again has no effect. */
export const revokeLink = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId } = await linkFor(tx, viewer, id)
    await lockEvent(tx, eventId)
    await linkFor(tx, viewer, id)
    if (await closeLink(tx, id)) await audit(tx, viewer, { act: 'link.revoked', eventId, subjectId: id })
  })

/** Opens a link again that had paused or was closed; any other stays as it is. Refuses tooLateToReopen. */
export const reopenLink = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId } = await linkFor(tx, viewer, id)
    await lockEvent(tx, eventId)
    await linkFor(tx, viewer, id)
    if (await store.reopen(tx, id)) await audit(tx, viewer, { act: 'link.reopened', eventId, subjectId: id })
    const link = await linkFor(tx, viewer, id)
    return link.status === 'revoked' ? refuse('tooLateToReopen') : link
  })

/** Closes every link of an event that is open. Refuses proveFirst. */
export const revokeLinks = (db: Db, viewer: Viewer, eventId: number) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'invite')
    await requireProof(tx, viewer)
    const closed = await closeLinks(tx, event)
    await audit(
      tx,
      viewer,
      closed.map(({ id: subjectId }) => ({ act: 'link.revoked', eventId, subjectId })),
    )
  })

/**
 * The link with this code, if it currently admits people. A revoked link is as unknown as one that never existed.
 * `proven`: wrong PINs entered by others do not count, because nothing is guessed here, or the caller knows the PIN.
 * `shownOnly`: nobody joins now, so that it may be paused.
 */
export const usableLink = async (db: Db, code: string, proven = false, shownOnly = false) => {
  const link = (await store.findLinkByCode(db, hashOfCode(code))) ?? refuse('noSuchLink')
  if (link.status === 'revoked') refuse('noSuchLink')
  if (link.cancelled) refuse('cancelled')
  if (link.status === 'expired') refuse('linkExpired')
  // Viewers may come again.
  if (link.status === 'used_up' && !isForViewers(link.role)) refuse('linkUsedUp')
  if (link.status === 'locked' && !proven) refuse('linkLocked')
  if (link.status === 'paused' && !shownOnly) refuse('linkPaused')
  return link
}

const wrongPinsPerMinute = 10
const daySeconds = 24 * 60 * 60
/** More than come in a day: it is only read, never used up. */
const plenty = 1_000_000

/** Where a PIN comes from. Only the network cannot be invented by the caller. */
type PinSource = { network: string; device: string }

/**
 * Counts wrong PINs for the link and for where they come from. Trying many at once gains nothing: a correct PIN is only
 * accepted while the link, read again under its event's lock, is not exhausted. A network from which somebody has
 * joined with the correct PIN is not locked out by guesses from elsewhere, and there a device that has not guessed has
 * a reserve separate from one that has; so the answer says whether the link's own limit counts.
 */
export const requirePin = async (
  db: Database,
  { codes, limits }: { codes: LinkCodes; limits: RateLimits },
  { code, pin, network, device }: { code: string; pin: string | undefined } & PinSource,
): Promise<{ proven: boolean }> => {
  const link = await usableLink(db, code, true)
  if (link.pin_mac === null) return { proven: false }
  const from = `${link.id} ${network}`
  const known = await limits.isTouched('rightPins', from, plenty, daySeconds)
  if (link.status === 'locked' && !known) refuse('linkLocked')
  const ofDevice = `${from} ${device}`
  const beside = known && !(await limits.isTouched('wrongPinsOfDevice', ofDevice, plenty))
  const bucket = beside ? 'wrongPinsBeside' : 'wrongPins'
  await limits.demandLeft(bucket, from, wrongPinsPerMinute)
  if (pin === undefined) return invalid('pin', sentence.required)
  if (codes.pinIs(link, pin)) {
    await limits.spend('rightPins', from, plenty, daySeconds)
    return { proven: known }
  }
  // Before anything is awaited: of many concurrent attempts, no more than are left may be evaluated.
  await Promise.all([
    limits.spend(bucket, from, wrongPinsPerMinute),
    limits.spend('wrongPinsOfDevice', ofDevice, plenty),
    store.addWrongPin(db, link.id),
  ])
  return refuse('wrongPin')
}

type JoiningLink = {
  code: string
  /** The PIN is proven, regardless of others' guesses. */
  proven: boolean
  /** Saves what else they said as they came in. */
  joins(tx: Transaction, eventId: number, userId: number): Promise<void>
}

/**
 * Adds a signed-in user; someone already in the event, or adding photos by this link, stays what they are and uses nothing
 * up, unless they become the event's photographer.
 */
export const joinByLink = (
  db: Db,
  { blockedWith, limits }: { blockedWith: BlockedWith; limits: RateLimits },
  viewer: Viewer,
  { code, proven, joins }: JoiningLink,
) =>
  transact(db, async tx => {
    const { event_id: eventId, photographer } = await linkToJoinBy(tx, code, proven)
    if (!(await lockEvent(tx, eventId))) refuse('noSuchLink')
    if (can(await members.lockStanding(tx, viewer.id, eventId), 'read')) {
      if (photographer) await photograph(tx, viewer, await linkToJoinBy(tx, code, proven))
      return joins(tx, eventId, viewer.id)
    }
    const link = await linkToJoinBy(tx, code, proven)
    // A link is an invitation from its creator.
    if ((await blockedWith(tx, [viewer.id])).get(viewer.id)?.has(link.created_by)) refuse('noSuchLink')
    if (await members.wasRemoved(tx, eventId, viewer.id)) refuse('wasRemoved')
    if (await members.addsBy(tx, eventId, viewer.id, link.id)) return
    await requireRejoinAllowed(tx, limits, eventId, viewer.id)
    if (await mustAsk(tx, viewer, link)) return askBy(tx, viewer.id, link)
    const guest = await enter(tx, viewer.id, link, () => admit(tx, viewer, eventId, [viewer.id], link.id))
    if (guest) await joins(tx, eventId, viewer.id)
  })

const photograph = async (tx: Transaction, viewer: Viewer, link: store.LinkRow) => {
  if (!(await members.setPhotographer(tx, link.event_id, viewer.id, link.id))) return
  await tellOfChange(tx, viewer.id, link)
  await countUse(tx, link)
}

const linkToJoinBy = async (tx: Transaction, code: string, proven: boolean) => {
  const link = await usableLink(tx, code, proven)
  return isForViewers(link.role) ? refuse('linkMakesNobody') : link
}

type Guest = { firstName: string; lastName: string; device: NewDevice }

/** Adds somebody without an account: creates one from just a name. */
export const joinAsGuest = (
  db: Db,
  { code, proven, joins }: JoiningLink,
  { device, ...name }: Guest,
): Promise<{ userId: number; session: Session }> =>
  transact(db, async tx => {
    const { id: cameBy, event_id: eventId, role } = await linkToJoinBy(tx, code, proven)
    // Before the event is locked, which all who come at the same moment wait for.
    const account = await openGuestAccount(tx, name, device, { cameBy, cameToAdd: !can(role, 'read') })
    if (!(await lockEvent(tx, eventId))) refuse('noSuchLink')
    const link = await linkToJoinBy(tx, code, proven)
    if (link.asks) {
      await askBy(tx, account.userId, link)
      return account
    }
    const guest = await enter(tx, account.userId, link, () => admitNewAccount(tx, account.userId, eventId, link.id))
    if (guest) await joins(tx, eventId, account.userId)
    return account
  })

/** An invited person joins without asking. */
const mustAsk = async (tx: Transaction, viewer: Viewer, { asks, event_id: eventId }: store.LinkRow) =>
  asks && (await readEvent(tx, viewer.id, eventId))?.standing !== 'invited'

const askBy = async (tx: Transaction, userId: number, link: store.LinkRow) => {
  if (await addRequest(tx, link.event_id, userId)) await countUse(tx, link)
}

/** Whether they are a guest by it: others are told of nobody who only adds photos. */
const enter = async (tx: Transaction, userId: number, link: store.LinkRow, asGuest: () => Promise<unknown>) => {
  const { event_id: eventId } = link
  const isGuest = can(link.role, 'read')
  if (isGuest) {
    await asGuest()
  } else {
    await members.addAdder(tx, eventId, userId, link)
    await tellOfChange(tx, userId, link)
  }
  await countUse(tx, link)
  return isGuest
}

/** Tells somebody that the event is another to them now. */
const tellOfChange = (tx: Transaction, userId: number, { event_id: eventId }: store.LinkRow) =>
  announce(tx, { kind: 'event.updated', audience: 'user', eventId, userId, actorId: userId, subjectId: eventId })

const countUse = async (tx: Transaction, { id, event_id: eventId }: store.LinkRow) => {
  if (!(await store.addUse(tx, id))) return
  const paused = { kind: 'link.paused', audience: 'organizers', actorId: 0, subjectId: id, notify: true } as const
  await announce(tx, { ...paused, eventId })
}
