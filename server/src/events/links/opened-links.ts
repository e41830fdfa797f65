import { createHmac } from 'node:crypto'
import { isForViewers, kindOfLink, type LinkRole } from '@afterglow/contract/capabilities'
import { screensPerLinkMax, viewersPerLinkMax, viewersPerNetworkMax } from '@afterglow/contract/limits'
import { endByLink, makeRoom, openViewing, viewersNow } from '../../accounts/sessions/link-viewers.ts'
import { announce } from '../../log/announce.ts'
import { type Database, type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { refuse } from '../../platform/http/refusals.ts'
import { endAdders, endPhotographers, expiredForAdding, inNoEvent } from '../members/members-store.ts'
import type { May } from '../standing.ts'
import { type EventRow, lockEvent } from '../store.ts'
import { hashOfCode } from './link-codes.ts'
import * as store from './links-store.ts'

/* Access that lasts only as long as its link: viewing and adding photos. */

type ViewerDevice = { code: string; deviceId: string; network: string }

const daySeconds = 24 * 60 * 60

const devicesMax = (role: LinkRole) => (kindOfLink(role) === 'screen' ? screensPerLinkMax : viewersPerLinkMax)

/**
 * A session of nobody, for what the link shows. A device that was here gets its place again, also when the link is used
 * up. Expects a link that is usable now. Refuses linkMakesGuests, linkUsedUp, tooManyViewers, noSuchLink, and with
 * TooMany what one network may not take up.
 */
export const viewByLink = (db: Db, limits: RateLimits, { code, deviceId, network }: ViewerDevice) =>
  transact(db, async tx => {
    const found = (await store.findLinkByCode(tx, hashOfCode(code))) ?? refuse('noSuchLink')
    if (!isForViewers(found.role) || found.viewer_id === null) return refuse('linkMakesGuests')
    const { known } = await viewersNow(tx, found.viewer_id, deviceId)
    const link = await store.holdToView(tx, found.id, known)
    if (!link) return refuse(found.status === 'revoked' ? 'noSuchLink' : 'linkUsedUp')
    const { devices } = await viewersNow(tx, found.viewer_id, deviceId)
    const most = devicesMax(link.role)
    const cameFrom = createHmac('sha256', link.nonce).update(network).digest().subarray(0, 8)
    const full = { cameFrom, shareMax: Math.ceil(most / 3) }
    if (!known && devices >= most && !(await makeRoom(tx, found.viewer_id, full))) refuse('tooManyViewers')
    if (!known) await limits.spend('viewersOfNetwork', `${link.id} ${network}`, viewersPerNetworkMax, daySeconds)
    const viewing = { viewerId: found.viewer_id, deviceId, cameFrom, until: link.expires_at }
    return { link, session: await openViewing(tx, viewing) }
  })

/** Expects the event's lock. Undefined if it was closed before. */
export const closeLink = async (tx: Transaction, id: number) => {
  const closed = await store.revoke(tx, id)
  if (closed) await endWhatItGave(tx, closed)
  return closed
}

/** Returns those that were open. */
export const closeLinks = async (tx: Transaction, event: EventRow & May<'invite'>) => {
  const closed = await store.revokeAll(tx, event)
  for (const link of closed) await endWhatItGave(tx, link)
  return closed
}

/** A job: a link for adding photos that expires ends like one that is closed. */
export const endExpired = (db: Database) => async () => {
  for (const link of await expiredForAdding(db))
    await transact(db, async tx => {
      if (await lockEvent(tx, link.event_id)) await endWhatItGave(tx, link)
    })
}

/**
 * Sessions of those who are in no other event end with it, and so do the links to pictures that they hold; guests who
 * came by it stay, and those who are photographers by it stay as guests.
 */
export const endWhatItGave = async (tx: Transaction, { id, event_id: eventId, viewer_id: viewerId }: store.Closed) => {
  await endByLink(tx, viewerId, await inNoEvent(tx, await endAdders(tx, eventId, { linkId: id })))
  const updated = { kind: 'event.updated', audience: 'user', eventId, actorId: 0, subjectId: eventId } as const
  await announce(
    tx,
    (await endPhotographers(tx, id)).map(userId => ({ ...updated, userId })),
  )
}
