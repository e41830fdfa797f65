import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { copyMedia } from '../../platform/media/records.ts'
import { demandListed, demandRight, eventFor } from '../access.ts'
import { audit } from '../audit/audit.ts'
import type { EventPart } from '../event-parts.ts'
import { movedWith } from '../local-time.ts'
import { type Acquaintance, invite } from '../members/invitations.ts'
import { letIn } from '../members/join.ts'
import { setRole } from '../members/members-store.ts'
import type { Manageable } from '../standing.ts'
import { type EventRow, insertEvent } from '../store.ts'
import * as store from './again-store.ts'

type Again = { eventId: number; startsAt: Date; name: string | undefined; invites: boolean }
type Tools = { eventParts: readonly EventPart[]; acquaintance: Acquaintance; strangersPerDay: number }

/**
 * Holds an event again at another time: with its picture, its settings and whatever other slices contribute, by the same
 * organizers. Everybody else who is in it is invited, and nothing that anybody wrote or showed comes along.
 */
export const copyEvent = (db: Db, viewer: Viewer, { eventId, startsAt, name, invites }: Again, tools: Tools) =>
  transact(db, async tx => {
    const before = demandListed(demandRight(await eventFor(tx, viewer, eventId), 'manage'))
    const to = { starts_at: startsAt, timezone: before.timezone }
    const id = await insertEvent(tx, viewer.id, {
      name: name ?? before.name,
      description: before.description,
      startsAt,
      endsAt: before.ends_at && movedWith(before, to).end(before.ends_at, before.starts_at),
      location: before.location,
      timezone: before.timezone,
      visibility: before.visibility,
      joinMode: before.join_mode,
      attachmentsToAlbum: before.attachments_to_album,
      guestsMayShare: before.guests_may_share,
      greetingsOnWall: before.greetings_on_wall,
      pageLives: before.page_lives,
      photoApproval: before.photo_approval,
      avatarMediaId:
        before.avatar_media_id === null ? undefined : await copyMedia(tx, before.avatar_media_id, viewer.id),
    })
    await store.copyRest(tx, before, id)
    for (const part of tools.eventParts) await part.copy?.(tx, { from: before, to: { id, ...to } })
    const made = demandRight(await eventFor(tx, viewer, id), 'manage')
    await bringOrganizers(tx, viewer, { before, made }, tools.acquaintance)
    if (invites) await inviteGuests(tx, viewer, { before, made }, tools)
    return eventFor(tx, viewer, id)
  })

type Both = { before: EventRow & Manageable; made: EventRow & Manageable }

/** Those who organize it now, except across a block. */
const bringOrganizers = async (tx: Transaction, viewer: Viewer, { before, made }: Both, acquaintance: Acquaintance) => {
  const others = (await store.organizersOf(tx, before)).filter(id => id !== viewer.id)
  const findable = await acquaintance.findableOf(tx, viewer, others)
  const ids = others.filter(id => findable.get(id)?.blocked === false && !findable.get(id)?.blocks_you)
  if (ids.length === 0) return
  for (const userId of await letIn(tx, viewer, made.id, ids)) {
    await setRole(tx, made, userId, 'organizer')
    await audit(tx, viewer, { act: 'organizer.made', eventId: made.id, subjectId: userId, userId })
  }
}

const inviteGuests = async (tx: Transaction, viewer: Viewer, { before, made }: Both, tools: Tools) => {
  const guests = await store.guestsOf(tx, before)
  const findable = await tools.acquaintance.findableOf(tx, viewer, guests)
  const userIds = guests.filter(id => findable.has(id))
  if (userIds.length > 0) await invite(tx, viewer, { ...tools, eventId: made.id, userIds })
}
