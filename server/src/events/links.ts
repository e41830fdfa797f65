import type { Language } from '@afterglow/contract/languages'
import { sentence } from '@afterglow/contract/words'
import { openGuestAccount } from '../accounts/guests.ts'
import { openInviting } from '../accounts/mail/mail-jobs.ts'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import type { NewDevice, Session } from '../accounts/sessions.ts'
import type { BlockedWith } from '../notifications/notices.ts'
import { type Database, type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { demandOrganizer, demandPlanned, eventToChange, maySee } from './access.ts'
import { audit } from './audit.ts'
import { letIn } from './join.ts'
import { hashOfCode, type LinkCodes } from './link-codes.ts'
import * as store from './links-store.ts'
import * as members from './members-store.ts'
import { isInEvent } from './standing.ts'
import { lockEvent, readEvent } from './store.ts'

/* Join links: whoever has one comes in, whatever the visibility and the join mode. */

type Asked = { eventId: number; usesMax: number | null; expiresAt: Date | null; pin: string | undefined }

export const makeLink = (db: Db, codes: LinkCodes, viewer: Viewer, { pin, ...asked }: Asked) =>
  transact(db, async tx => {
    demandPlanned(demandOrganizer(await eventToChange(tx, viewer, asked.eventId)))
    const nonce = codes.newNonce()
    const codeHash = hashOfCode(codes.codeOf(nonce))
    const pinMac = pin === undefined ? null : codes.pinMac(nonce, pin)
    const pinSealed = pin === undefined ? null : codes.sealPin(nonce, pin)
    const link = await store.insertLink(tx, { ...asked, codeHash, nonce, pinMac, pinSealed, by: viewer.id })
    if (!link) return invalid('expires_at', sentence.future)
    await audit(tx, viewer, { act: 'link.made', eventId: asked.eventId, subjectId: link.id })
    return link
  })

const mailedDays = 30

type Mailed = { eventId: number; addresses: readonly string[]; language: Language }

/**
 * Mails each address a link of its own that serves once. Returns how many mails go out: an address
 * takes only so many, and so does a day. Refuses unprovenEmail.
 */
export const inviteByMail = (db: Db, codes: LinkCodes, viewer: Viewer, { eventId, addresses, language }: Mailed) =>
  transact(db, async tx => {
    const event = demandPlanned(demandOrganizer(await eventToChange(tx, viewer, eventId)))
    const mail = await openInviting(tx, viewer.id)
    const person = (await personsById(tx, [viewer.id])).get(viewer.id) as Person
    const inviter = [person.first_name, person.last_name].filter(Boolean).join(' ')
    const expiresAt = new Date(Date.now() + mailedDays * 86_400_000)
    let sent = 0
    for (const address of new Set(addresses.map(each => each.toLowerCase()))) {
      const link = await makeLink(tx, codes, viewer, { eventId, usesMax: 1, expiresAt, pin: undefined })
      const letter = { about: 'invitation', inviter, inviterId: viewer.id, event: event.name, linkId: link.id } as const
      if (await mail(letter, { address, language })) sent += 1
      else await store.revoke(tx, link.id)
    }
    return sent
  })

/** What a mail says of a link, read when it is sent: a revoked one, or one to a cancelled event, is not mailed any more. */
export const invitationBy = async (db: Db, codes: LinkCodes, linkId: number) => {
  const link = await store.findLink(db, linkId)
  if (link?.status !== 'open' || link.cancelled) return undefined
  const code = codes.codeOf(link.nonce)
  return { code, path: `/j/${code}` }
}

/** A link of an event that the viewer organizes. Refuses noSuchLink, notOrganizer. */
const linkFor = async (db: Db, viewer: Viewer, id: number) => {
  const link = (await store.findLink(db, id)) ?? refuse('noSuchLink')
  const event = await readEvent(db, viewer.id, link.event_id)
  if (!event || !maySee(event)) return refuse('noSuchLink')
  demandOrganizer(event)
  return link
}

/** Revoking again changes nothing. */
export const revokeLink = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId } = await linkFor(tx, viewer, id)
    await lockEvent(tx, eventId)
    await linkFor(tx, viewer, id)
    if (await store.revoke(tx, id)) await audit(tx, viewer, { act: 'link.revoked', eventId, subjectId: id })
  })

/**
 * The link with this code, if it lets somebody in now. A revoked one is as unknown as one that never was. `proven`: wrong
 * PINs of others do not count, as nothing is guessed here, or by somebody who knows it.
 */
export const usableLink = async (db: Db, code: string, proven = false) => {
  const link = (await store.findLinkByCode(db, hashOfCode(code))) ?? refuse('noSuchLink')
  if (link.status === 'revoked') refuse('noSuchLink')
  if (link.cancelled) refuse('cancelled')
  if (link.status === 'expired') refuse('linkExpired')
  if (link.status === 'used_up') refuse('linkUsedUp')
  if (link.status === 'locked' && !proven) refuse('linkLocked')
  return link
}

const wrongPinsPerMinute = 10
const daySeconds = 24 * 60 * 60
/** More than come in a day: it is looked at, and never spent. */
const plenty = 1_000_000

/** Where a PIN comes from. Only the network is no invention of who sends it. */
type From = { network: string; device: string }

/**
 * Counts wrong PINs for the link and for where they come from. Whoever tries many at once gains nothing: who is right is let
 * in only while the link, read again under its event's lock, bears it. A network that somebody came in from with the right
 * PIN is not shut by guesses from elsewhere, and a device that made none has a reserve there beside one that guesses; so
 * the answer says whether the link's bearing counts.
 */
export const demandPin = async (
  db: Database,
  { codes, limits }: { codes: LinkCodes; limits: RateLimits },
  { code, pin, network, device }: { code: string; pin: string | undefined } & From,
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
  // Before anything is waited for: of many at once no more than are left may be judged.
  await Promise.all([
    limits.spend(bucket, from, wrongPinsPerMinute),
    limits.spend('wrongPinsOfDevice', ofDevice, plenty),
    store.addWrongPin(db, link.id),
  ])
  return refuse('wrongPin')
}

/** A link's code, and whether its PIN is proven whatever others guess. */
type Shown = { code: string; proven: boolean }

/** Lets a signed-in person in; who is in already spends no use. */
export const joinByLink = (db: Db, viewer: Viewer, { code, proven }: Shown, blockedWith: BlockedWith) =>
  transact(db, async tx => {
    const { event_id: eventId } = await usableLink(tx, code, proven)
    if (!(await lockEvent(tx, eventId))) refuse('noSuchLink')
    if (isInEvent(await members.lockStanding(tx, viewer.id, eventId))) return
    const link = await usableLink(tx, code, proven)
    // A link is an invitation by who made it.
    if ((await blockedWith(tx, [viewer.id])).get(viewer.id)?.has(link.created_by)) refuse('noSuchLink')
    if (await members.wasRemoved(tx, eventId, viewer.id)) refuse('wasRemoved')
    await enter(tx, viewer, link)
  })

type Guest = { firstName: string; lastName: string; device: NewDevice }

/** Lets somebody in who has no account: opens one that knows no more than a name. */
export const joinAsGuest = (
  db: Db,
  { code, proven }: Shown,
  { device, ...name }: Guest,
): Promise<{ userId: number; session: Session }> =>
  transact(db, async tx => {
    const { event_id: eventId } = await usableLink(tx, code, proven)
    if (!(await lockEvent(tx, eventId))) refuse('noSuchLink')
    const link = await usableLink(tx, code, proven)
    const account = await openGuestAccount(tx, name, device)
    await enter(tx, { id: account.userId, deviceRow: 0 }, link)
    return account
  })

const enter = async (tx: Transaction, viewer: Viewer, link: store.LinkRow) => {
  await store.addUse(tx, link.id)
  await letIn(tx, viewer, link.event_id, [viewer.id])
}
