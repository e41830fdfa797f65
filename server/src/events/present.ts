import { can, shownRoleOf } from '@afterglow/contract/capabilities'
import type { Event } from '@afterglow/contract/events/event'
import type { Invitation } from '@afterglow/contract/events/invitations'
import type { Guest } from '@afterglow/contract/events/members'
import { offsetAt } from '@afterglow/contract/zones'
import type { z } from 'zod'
import type { Person } from '../accounts/persons.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import type { Urls } from '../platform/http/urls.ts'
import { mayAdd, mayAsk, mayInvite, mayLeave, placeShown } from './access.ts'
import type { InvitationRow } from './members/invitations-store.ts'
import type { GuestRow } from './members/members-store.ts'
import type { EventRow } from './store.ts'

type EventResource = z.output<typeof Event>

export const avatarOf = (row: EventRow, urls: Urls) =>
  row.avatar_media_id
    ? urls.media(row.avatar_media_id, 'display', 0, row.avatar_ending)
    : urls.initials(row.name, row.id, row.theme)

/** `contributed`: what other slices add to its `extra`, which it has only then. */
export const presentEvent = (row: EventRow, urls: Urls, contributed: object | undefined): EventResource => ({
  id: row.id,
  event_name: row.name,
  event_description: row.description,
  event_starts_at: row.starts_at.toISOString(),
  event_ends_at: row.ends_at?.toISOString() ?? null,
  event_timezone: row.timezone,
  event_location: placeShown(row),
  event_visibility: row.visibility,
  event_join_mode: row.join_mode,
  event_status: row.status,
  event_avatar_url: avatarOf(row, urls),
  event_guests_count: row.guests_count,
  event_role: shownRoleOf(row.standing),
  group_chat_id: row.chat_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ...(contributed && { extra: { ...presentExtra(row), ...contributed } as NonNullable<EventResource['extra']> }),
})

const presentExtra = (row: EventRow) => ({
  attachments_to_album: row.attachments_to_album,
  guests_may_share: row.guests_may_share,
  greetings_on_wall: row.greetings_on_wall,
  location_hidden: row.location_hidden,
  guests_hidden: row.guests_hidden,
  page_lives: row.page_lives,
  photo_approval: row.photo_approval,
  event_theme: row.theme,
  again_of: row.again_of,
  owner_id: can(row.standing, 'read') ? row.owner_id : null,
  offered_to: can(row.standing, 'own') || row.offered ? row.offered_to : null,
  timezone_offset: offsetAt(row.timezone, row.starts_at),
  deleted_at: row.deleted_at?.toISOString() ?? null,
  may: row.deleted_at === null ? mayDo(row) : { ...nothing, own: can(row.standing, 'own') },
})

const mayDo = (row: EventRow) => ({
  ask: mayAsk(row),
  see: can(row.standing, 'see'),
  album: can(row.standing, 'album'),
  browse: can(row.standing, 'browse'),
  read_chat: can(row.standing, 'readChat'),
  read: can(row.standing, 'read'),
  chat: mayAdd(row, 'write'),
  upload: mayAdd(row, 'upload'),
  invite: mayInvite(row),
  manage: can(row.standing, 'manage'),
  announce: can(row.standing, 'announce'),
  moderate: can(row.standing, 'moderate'),
  approve: can(row.standing, 'approve'),
  leave: mayLeave(row),
  own: can(row.standing, 'own'),
})

const nothing = {
  ask: false,
  see: false,
  album: false,
  browse: false,
  read_chat: false,
  read: false,
  chat: false,
  upload: false,
  invite: false,
  manage: false,
  announce: false,
  moderate: false,
  approve: false,
  leave: false,
}

export const presentGuest = (row: GuestRow, person: Person, urls: Urls): z.output<typeof Guest> => ({
  user: presentMinimalUser(person, urls),
  event_role: shownRoleOf(row.role),
  event_owner: can(row.role, 'own'),
  joined_at: row.joined_at.toISOString(),
})

export const presentInvitation = (
  row: InvitationRow,
  { event, invitedBy }: { event: EventResource; invitedBy: Person },
  urls: Urls,
): z.output<typeof Invitation> => ({
  id: row.id,
  event,
  invited_by: presentMinimalUser(invitedBy, urls),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
