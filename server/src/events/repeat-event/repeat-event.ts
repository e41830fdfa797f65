import { sentence } from '@afterglow/contract/words'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { copyMedia } from '../../platform/media/records.ts'
import { eventFor, eventToChange, requireCapability, requireListed } from '../access.ts'
import { type EventPart, moveParts } from '../event-parts.ts'
import { endMoved } from '../local-time.ts'
import { type Acquaintance, invite } from '../members/invitations.ts'
import type { Manageable } from '../standing.ts'
import { type EventRow, insertEvent } from '../store.ts'
import * as store from './repeat-event-store.ts'

type RepeatRequest = { eventId: number; startsAt: Date; name: string | undefined; invites: boolean }
type Tools = { eventParts: readonly EventPart[]; acquaintance: Acquaintance; strangersPerDay: number }

/**
 * Holds an event again at another time: with its picture, its settings and whatever other slices contribute. Everybody
 * who is in it is invited, and nothing that anybody wrote or showed comes along. Asked for the same again within minutes,
 * it is the event that was made.
 */
export const copyEvent = (
  db: Db,
  viewer: Viewer,
  { eventId, startsAt: starts_at, name, invites }: RepeatRequest,
  tools: Tools,
) =>
  transact(db, async tx => {
    const before = requireListed(requireCapability(await eventToChange(tx, viewer, eventId), 'manage'))
    const to = { starts_at, timezone: before.timezone }
    const asked = { name: name ?? before.name, ...to }
    const { isToCome, madeLately } = await store.findRepeat(tx, viewer.id, before, asked)
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
    const made = requireCapability(await eventFor(tx, viewer, id), 'manage')
    await invitePeople(tx, viewer, { before, made }, invites, tools)
    return eventFor(tx, viewer, id)
  })

type RepeatedEvent = { before: EventRow & Manageable; made: EventRow & Manageable }

/**
 * Invites the people of the original, its organizers as organizers, without those who declined a repeat of it. Refuses
 * copiedLately.
 */
const invitePeople = async (
  tx: Transaction,
  viewer: Viewer,
  { before, made }: RepeatedEvent,
  invites: boolean,
  tools: Tools,
) => {
  const mayInvite = await store.mayInviteToRepeat(tx, before)
  if (!mayInvite) return invites ? refuse('copiedLately') : undefined
  const people = await store.peopleToInvite(tx, before)
  const findable = await tools.acquaintance.findableOf(
    tx,
    viewer,
    people.map(({ user_id }) => user_id),
  )
  const invited = people.filter(({ user_id: id, organizes }) => {
    const found = findable.get(id)
    // Nobody organizes together across a block.
    return id !== viewer.id && found && (organizes ? !found.blocked && !found.blocks_you : invites)
  })
  const [userIds, organizers] = [invited, invited.filter(({ organizes }) => organizes)].map(all =>
    all.map(({ user_id }) => user_id),
  ) as [number[], number[]]
  if (userIds.length > 0) await invite(tx, viewer, { ...tools, eventId: made.id, userIds, organizers })
}
