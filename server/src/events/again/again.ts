import { sentence } from '@afterglow/contract/words'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { copyMedia } from '../../platform/media/records.ts'
import { demandListed, demandRight, eventFor, eventToChange } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { type EventPart, moveParts } from '../event-parts.ts'
import { endMoved } from '../local-time.ts'
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
 * organizers. Everybody else who is in it is invited, and nothing that anybody wrote or showed comes along. Asked for the
 * same again within minutes, it is the event that was made.
 */
export const copyEvent = (
  db: Db,
  viewer: Viewer,
  { eventId, startsAt: starts_at, name, invites }: Again,
  tools: Tools,
) =>
  transact(db, async tx => {
    const before = demandListed(demandRight(await eventToChange(tx, viewer, eventId), 'manage'))
    const to = { starts_at, timezone: before.timezone }
    const asked = { name: name ?? before.name, ...to }
    const { isToCome, madeLately } = await store.readAgain(tx, viewer.id, before, asked)
    if (!isToCome) invalid('event_starts_at', sentence.future)
    if (madeLately) return eventFor(tx, viewer, madeLately)
    const id = await insertEvent(tx, viewer.id, {
      ...asked,
      ends_at: endMoved(before, to),
      avatar_media_id: before.avatar_media_id ? await copyMedia(tx, before.avatar_media_id, viewer.id) : undefined,
    })
    await store.copySettings(tx, before, id)
    const moved = { from: before, to: { id, ...to } }
    for (const part of tools.eventParts) await part.copy?.(tx, moved)
    await moveParts(tx, tools.eventParts, moved)
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
