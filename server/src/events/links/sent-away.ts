import { endReturnKeysOf } from '../../accounts/returns/return-keys.ts'
import { announce, type Change } from '../../log/announce.ts'
import { withdrawOfEvent } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, maySee, requireCapability } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { closeInvitations } from '../members/join.ts'
import { awaitMessages, bringBackWhatWasTheirs, sendAddersAway, takeMarksAway } from '../members/members-store.ts'
import { settleRoles } from '../members/membership.ts'
import { voidOffer } from '../members/ownership.ts'
import { lockEvent, readEvent } from '../store.ts'
import { endLinksOfAll } from './ended-links.ts'
import { linkFor } from './links.ts'
import { revoke } from './links-store.ts'
import { endWhatItGave } from './opened-links.ts'
import * as store from './sent-away-store.ts'

/* Closing a link and sending away everybody who came by it: one act, with an undo of an hour. */

/**
 * Organizers who came by the link stay. People who add photos by it are out whenever they came, as by closing it, but
 * keep their sessions, so that they can continue once it is undone. Repeating it while it can be undone, with nobody
 * left to send away, has no effect. Refuses noSuchLink, notOrganizer.
 */
export const sendAwayByLink = (db: Db, viewer: Viewer, linkId: number, since: Date | null) =>
  transact(db, async tx => {
    const { event_id: eventId } = await linkFor(tx, viewer, linkId)
    requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    await linkFor(tx, viewer, linkId)
    const closed = await revoke(tx, linkId)
    const asked = { eventId, linkId, since, closedLink: closed !== undefined, by: viewer.id }
    const id = (await store.widenLast(tx, asked)) ?? (await store.insertSentAway(tx, asked))
    const adders = await sendAddersAway(tx, eventId, { linkId, awayId: id })
    await store.countSentAway(tx, id, adders.length)
    if (closed) await endWhatItGave(tx, closed)
    const gone = await store.endGuestsOfLink(tx, id)
    await awaitMessages(tx, eventId)
    if (gone.length > 0) await endWhatWasTheirs(tx, eventId, gone)
    if (adders.length > 0) await withdrawOfEvent(tx, eventId, { userIds: adders })
    if (gone.length + adders.length > 0 || closed) {
      await audit(tx, viewer, { act: 'link.sent_away', eventId, subjectId: linkId })
      await announceToMembers(tx, viewer, eventId, gone, 'guest.left')
      await tellAdders(tx, viewer, eventId, adders, 'out')
    }
    return (await store.findSentAway(tx, id)) ?? refuse('noSuchSentAway')
  })

const endWhatWasTheirs = async (tx: Transaction, eventId: number, gone: readonly number[]) => {
  await closeInvitations(tx, eventId, gone, 'withdrawn')
  for (const userId of gone) await endReturnKeysOf(tx, userId, eventId)
  await takeMarksAway(tx, eventId, gone)
  await withdrawOfEvent(tx, eventId, { userIds: gone })
  const offeredTo = (await readEvent(tx, gone[0] as number, eventId))?.offered_to
  if (offeredTo && gone.includes(offeredTo)) await voidOffer(tx, eventId, offeredTo)
  await endLinksOfAll(tx, eventId)
}

/** Refuses noSuchSentAway, notOrganizer, tooLateToUndo. Undoing again has no effect. */
export const undoSentAway = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId } = await sentAwayFor(tx, viewer, id)
    await lockEvent(tx, eventId)
    const { undone, in_time, link_id: linkId } = await sentAwayFor(tx, viewer, id)
    if (undone) return
    if (!in_time) refuse('tooLateToUndo')
    const { guests: back, adders } = await store.bringBackGuests(tx, id)
    await bringBackWhatWasTheirs(tx, eventId, back)
    await settleRoles(tx, eventId)
    await withdrawOfEvent(tx, eventId, { userIds: [...back, ...adders], kinds: ['guest_removed'] })
    await audit(tx, viewer, { act: 'link.brought_back', eventId, subjectId: linkId })
    await announceToMembers(tx, viewer, eventId, back, 'guest.joined')
    await tellAdders(tx, viewer, eventId, adders, 'back')
  })

const sentAwayFor = async (db: Db, viewer: Viewer, id: number) => {
  const away = (await store.findSentAway(db, id)) ?? refuse('noSuchSentAway')
  const event = await readEvent(db, viewer.id, away.event_id)
  if (!event || !maySee(event)) return refuse('noSuchSentAway')
  requireCapability(event, 'manage')
  return away
}

/** Guests are told once, and not of each of a thousand; organizers and webhooks of each. */
const announceToMembers = (
  tx: Transaction,
  by: Viewer,
  eventId: number,
  userIds: readonly number[],
  kind: 'guest.left' | 'guest.joined',
) => {
  const about = { eventId, actorId: by.id }
  const updated = { ...about, kind: 'event.updated', subjectId: eventId, detail: { changed: [] } } as const
  return announce(tx, [
    { ...updated, audience: 'event' },
    ...userIds.flatMap((userId): Change[] => {
      const moved = { ...about, kind, subjectId: userId, detail: { removed: kind === 'guest.left' } }
      return [
        { ...moved, audience: 'organizers' },
        { ...moved, audience: 'user', userId, ...(kind === 'guest.left' && { notify: true as const }) },
        { ...updated, audience: 'user', userId },
      ]
    }),
  ])
}

/** Nobody else has seen them: they load what they may do. */
const tellAdders = (tx: Transaction, by: Viewer, eventId: number, userIds: readonly number[], now: 'out' | 'back') =>
  announce(
    tx,
    userIds.map((userId): Change => {
      const about = { eventId, actorId: by.id, audience: 'user', userId } as const
      return now === 'out'
        ? { ...about, kind: 'guest.left', subjectId: userId, detail: { removed: true }, notify: true }
        : { ...about, kind: 'event.updated', subjectId: eventId, detail: { changed: [] } }
    }),
  )
