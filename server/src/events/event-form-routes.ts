import { can } from '@afterglow/contract/capabilities'
import * as contract from '@afterglow/contract/events'
import type { ParsedInput } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import type { Registration } from '../accounts/registration/registration.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Media } from '../platform/media/store-picture.ts'
import { eventFor, requireCapability, requirePlanned } from './access.ts'
import {
  type EventPart,
  type MovedEvent,
  moveParts,
  openPresent,
  type PresentOptions,
  type SavedEvent,
  saveParts,
} from './event-parts.ts'
import * as events from './events.ts'
import type { LinkCodes } from './links/link-codes.ts'
import { linkUrls } from './links/link-picture-routes.ts'
import * as links from './links/links.ts'
import { linkMadeWith } from './links/links-store.ts'
import type { Acquaintance } from './members/invitations.ts'
import { copyEvent } from './repeat-event/repeat-event.ts'
import type { EventDetails, EventRow } from './store.ts'

const detailsOf = (input: Asked): EventDetails => ({
  name: input.event_name,
  description: input.event_description,
  starts_at: input.event_starts_at,
  ends_at: input.event_ends_at,
  location: input.event_location,
  timezone: input.event_timezone,
  visibility: input.event_visibility,
  join_mode: input.event_join_mode,
  attachments_to_album: input.event_attachments_to_album,
  guests_may_share: input.event_guests_may_share,
  greetings_on_wall: input.event_greetings_on_wall,
  location_hidden: input.event_location_hidden,
  guests_hidden: input.event_guests_hidden,
  page_lives: input.event_page_lives,
  photo_approval: input.event_photo_approval,
  theme: input.event_theme,
})

type Asked = ParsedInput<typeof contract.saveEvent>

type Tools = {
  media: Media
  registration: Registration
  acquaintance: Acquaintance
  codes: LinkCodes
  strangersPerDay: number
  eventParts: readonly EventPart[]
}

/** Creating an event, changing it, and making another one like it. */
export const savingRoutes = (
  serve: Serve,
  { media, registration, acquaintance, codes, strangersPerDay, eventParts }: Tools,
) => {
  const present = openPresent(eventParts)

  const presentSaved = async (db: Db, saved: EventRow, { event_link }: Asked, presenting: PresentOptions) => {
    const shown = await present.one(db, saved, presenting)
    if (!event_link || !shown.extra || !can(saved.standing, 'invite')) return shown
    const link = await linkMadeWith(db, saved.id)
    if (link) shown.extra.event_link = linkUrls(presenting.urls, codes.codeOf(link.nonce)).link_url
    return shown
  }

  serve(
    contract.saveEvent,
    async ({ db, viewer, input, files, once, turn, ...presenting }) => {
      const { event_id: id } = input
      if (!id) registration.demandHost(viewer)
      if (id && input.event_link) invalid('event_link', sentence.selected)
      if (id) requirePlanned(requireCapability(await eventFor(db, viewer, id), 'manage'))
      const file = files.event_avatar?.[0]
      const avatar = file && (await media.keep(file, 'event_avatar', turn()))
      const asked = {
        details: detailsOf(input),
        seenAt: input.event_updated_at,
        avatar,
        saveParts: async (tx: Transaction, saved: SavedEvent) => {
          await saveParts(tx, eventParts, saved, input)
          if (input.event_link) await links.makeLink(tx, codes, viewer, { ...links.withEvent, eventId: saved.id })
        },
        moveParts: (tx: Transaction, moved: MovedEvent) => moveParts(tx, eventParts, moved),
      }
      return once(async db => {
        const saved = await (id ? events.updateEvent(db, viewer, id, asked) : events.createEvent(db, viewer, asked))
        return presentSaved(db, saved, input, presenting)
      })
    },
    {
      keep: ({ id }) => ({ id }),
      replay: async ({ db, viewer, input, ...presenting }, kept: { id: number }) =>
        presentSaved(db, await eventFor(db, viewer, kept.id), input, presenting),
    },
  )

  serve(
    contract.copyEvent,
    async ({ viewer, input, once, db, ...presenting }) => {
      registration.demandHost(viewer)
      requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
      const asked = {
        eventId: input.event_id,
        startsAt: input.event_starts_at,
        name: input.event_name,
        invites: input.guests_invited ?? false,
      }
      return once(async db => {
        const made = await copyEvent(db, viewer, asked, { eventParts, acquaintance, strangersPerDay })
        return present.one(db, made, presenting)
      })
    },
    {
      keep: ({ id }) => ({ id }),
      replay: async ({ db, viewer, ...presenting }, kept: { id: number }) =>
        present.one(db, await eventFor(db, viewer, kept.id), presenting),
    },
  )
}
