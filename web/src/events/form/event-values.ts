import { formMaybe, formText } from '../../ui/form.ts'
import type { Event } from '../queries.ts'
import { programmeOf } from './programme-fields.tsx'
import { type RevealValues, revealOf } from './reveal-fields.tsx'

/** All that the form says of an event. */
export type EventValues = RevealValues & {
  event_name: string
  event_description: string | null
  event_starts_at: string
  event_ends_at: string | null
  event_location: string | null
  event_visibility: number
  event_join_mode: number
  event_attachments_to_album: boolean
  event_location_hidden: boolean
  event_guests_hidden: boolean
  event_guests_may_share: boolean
  event_greetings_on_wall: boolean
  event_announcements_in_chat: boolean
  event_asks_for_photos: boolean
  event_theme: Event['extra']['event_theme']
  event_places: number
  event_plus_ones_max: number
  event_album_for: Event['extra']['album_for']
  event_photo_approval: Event['extra']['photo_approval']
  event_programme: ReturnType<typeof programmeOf>
}

/** What is to be saved: of an event that there is, what somebody changed. */
export type EventFields = Partial<EventValues> & { event_timezone?: string; event_avatar?: File }

/** As the form says it; `moment` reads its times. */
export const valuesIn = (form: FormData, moment: (wall: string) => string): EventValues => {
  const ends = formMaybe(form, 'event_ends_at')
  return {
    event_name: formText(form, 'event_name'),
    event_description: formMaybe(form, 'event_description'),
    event_starts_at: moment(formText(form, 'event_starts_at')),
    event_ends_at: ends && moment(ends),
    event_location: formMaybe(form, 'event_location'),
    event_visibility: Number(formText(form, 'event_visibility')),
    event_join_mode: Number(formText(form, 'event_join_mode')),
    event_attachments_to_album: form.has('event_attachments_to_album'),
    event_location_hidden: form.has('event_location_hidden'),
    event_guests_hidden: form.has('event_guests_hidden'),
    event_guests_may_share: form.has('event_guests_may_share'),
    event_greetings_on_wall: form.has('event_greetings_on_wall'),
    event_announcements_in_chat: form.has('event_announcements_in_chat'),
    event_asks_for_photos: form.has('event_asks_for_photos'),
    event_theme: formMaybe(form, 'event_theme') as EventValues['event_theme'],
    event_places: Number(formText(form, 'event_places') || 0),
    event_plus_ones_max: Number(formText(form, 'event_plus_ones_max') || 0),
    event_album_for: formText(form, 'event_album_for') as EventValues['event_album_for'],
    event_photo_approval: formText(form, 'event_photo_approval') as EventValues['event_photo_approval'],
    event_programme: programmeOf(form, moment),
    ...revealOf(form, moment),
  }
}

/** As an event says it. */
export const valuesOf = ({ extra, ...event }: Event): EventValues => ({
  event_name: event.event_name,
  event_description: event.event_description,
  event_starts_at: event.event_starts_at,
  event_ends_at: event.event_ends_at,
  event_location: event.event_location,
  event_visibility: event.event_visibility,
  event_join_mode: event.event_join_mode,
  event_attachments_to_album: extra.attachments_to_album,
  event_location_hidden: extra.location_hidden,
  event_guests_hidden: extra.guests_hidden,
  event_guests_may_share: extra.guests_may_share,
  event_greetings_on_wall: extra.greetings_on_wall,
  event_announcements_in_chat: extra.event_announcements_in_chat,
  event_asks_for_photos: extra.event_asks_for_photos,
  event_theme: extra.event_theme,
  event_places: extra.event_places ?? 0,
  event_plus_ones_max: extra.event_plus_ones_max,
  event_album_for: extra.album_for,
  event_photo_approval: extra.photo_approval,
  event_programme: extra.event_programme,
  event_photos_shown: extra.event_photos_shown,
  event_reveals_at: extra.event_reveals_at ?? undefined,
  event_organizers_see_photos: extra.event_organizers_see_photos,
})

/** The names of what is not in one as it is in the other. */
export const differing = (one: EventFields, other: EventFields) =>
  (Object.keys(one) as (keyof EventFields)[]).filter(name => JSON.stringify(one[name]) !== JSON.stringify(other[name]))

const times = new Set<keyof EventFields>(['event_ends_at', 'event_programme', 'event_reveals_at'])

/**
 * What somebody else changed meanwhile, if one of it is what is to be saved, and to something else; or if it is the
 * beginning, from which a time that is to be saved was counted.
 */
export const conflictOf = (read: Event, now: Event, mine: EventFields): Partial<EventValues> | undefined => {
  const theirs = valuesOf(now)
  const changed = differing(theirs, valuesOf(read))
  const opposed = differing(mine, theirs).filter(
    name => changed.includes(name) || (times.has(name) && changed.includes('event_starts_at')),
  )
  return opposed.length > 0
    ? Object.fromEntries(changed.map(name => [name, theirs[name as keyof EventValues]]))
    : undefined
}
