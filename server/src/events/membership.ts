import { type Db, type Transaction, transact } from '../platform/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { demandInEvent, demandOrganizer, eventToChange, mayLeave } from './access.ts'
import { endInvitations } from './invitations-store.ts'
import * as members from './members-store.ts'

/** Takes a guest out. Every media URL of the event dies, theirs with them. */
export const removeGuest = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    demandOrganizer(await eventToChange(tx, viewer, eventId))
    const guest = await members.findGuest(tx, eventId, userId)
    if (guest?.organizer) refuse('organizerStays')
    if (!(await members.endGuest(tx, eventId, userId, { removed: true }))) refuse('noSuchUser')
    await endWishes(tx, viewer, eventId, userId)
  })

export const leaveEvent = (db: Db, viewer: Viewer, eventId: number) =>
  transact(db, async tx => {
    const event = demandInEvent(await eventToChange(tx, viewer, eventId))
    if (!mayLeave(event)) refuse('lastOrganizer')
    await members.endGuest(tx, eventId, viewer.id, { removed: false })
    await endWishes(tx, viewer, eventId, viewer.id)
  })

/** No request or invitation outlives the membership that it led to. */
const endWishes = async (tx: Transaction, by: Viewer, eventId: number, userId: number) => {
  await members.answerJoinRequests(tx, eventId, [userId], { status: 'withdrawn', by: by.id })
  await endInvitations(tx, eventId, [userId], 'withdrawn')
}

export const makeOrganizer = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    demandOrganizer(await eventToChange(tx, viewer, eventId))
    return (await members.setOrganizer(tx, eventId, userId, true)) ?? refuse('noSuchUser')
  })

/** Makes an organizer a guest again; one must remain. */
export const unmakeOrganizer = (db: Db, viewer: Viewer, eventId: number, userId: number) =>
  transact(db, async tx => {
    const event = demandOrganizer(await eventToChange(tx, viewer, eventId))
    if (userId === viewer.id && event.no_other_organizer) refuse('lastOrganizer')
    return (await members.setOrganizer(tx, eventId, userId, false)) ?? refuse('noSuchUser')
  })
