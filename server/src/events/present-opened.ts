import { can } from '@afterglow/contract/capabilities'
import { visibility } from '@afterglow/contract/events/event'
import { offsetAt } from '@afterglow/contract/zones'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentSeenUser } from '../accounts/present-person.ts'
import type { Db } from '../platform/database/database.ts'
import { Refused } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import { placeShown } from './access.ts'
import type { EventPart } from './event-parts.ts'
import { usableLink } from './links/links.ts'
import { hostOf, type LinkRow } from './links/links-store.ts'
import { avatarOf } from './present.ts'
import { type EventRow, readEvent } from './store.ts'

/* What an event shows to people who are not signed in: by a link to it, or at the address of a public one. */

export type Opened = {
  /** As nobody in particular sees it. */
  event: EventRow
  hostId: number
  /** Whether those who come may be named. */
  named: boolean
}

const nobody = 0

export const eventOfLink = async (db: Db, link: LinkRow): Promise<Opened> => {
  const event = (await readEvent(db, nobody, link.event_id)) as EventRow
  return {
    event,
    named: can(link.role, 'read') && link.pin_mac === null,
    hostId: await hostOf(db, event.id, link.created_by),
  }
}

/** Undefined for a link that admits nobody. */
export const openedLink = async (db: Db, code: string) => {
  try {
    return await eventOfLink(db, await usableLink(db, code, true))
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

export const publicEvent = async (db: Db, id: number): Promise<Opened | undefined> => {
  const event = await readEvent(db, nobody, id)
  if (event?.visibility !== visibility.public || !event.listed) return undefined
  return { event, named: false, hostId: await hostOf(db, id, event.owner_id) }
}

export const showOpened = async (
  db: Db,
  { event, hostId, named }: Opened,
  { urls, eventParts }: { urls: Urls; eventParts: readonly EventPart[] },
) => {
  const [persons, ...fields] = await Promise.all([
    personsById(db, [hostId]),
    ...eventParts.map(part => part.opened?.(db, event, { urls, named: named && !event.guests_hidden })),
  ])
  return {
    event_id: event.id,
    event_name: event.name,
    event_starts_at: event.starts_at.toISOString(),
    event_ends_at: event.ends_at?.toISOString() ?? null,
    event_timezone: event.timezone,
    event_timezone_offset: offsetAt(event.timezone, event.starts_at),
    event_avatar_url: avatarOf(event, urls),
    event_location: placeShown(event),
    event_location_hidden: event.location_hidden,
    event_description: event.description,
    host: presentSeenUser(persons.get(hostId) as Person, urls),
    ...(Object.assign({}, ...fields) as PlansShown),
  }
}

type PlansShown = Awaited<ReturnType<NonNullable<EventPart['opened']>>>
