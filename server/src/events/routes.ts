import * as contract from '@afterglow/contract/events'
import { readEventLevel, saveEventLevel } from '@afterglow/contract/notifications'
import type { Given } from '@afterglow/contract/route'
import { nobody, type Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import type { Registration } from '../accounts/registration.ts'
import { changeEventSettings, eventSettings } from '../notifications/settings.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Media } from '../platform/media/records.ts'
import { demandInEvent, demandPlanned, demandRight, eventFor, waitingFor } from './access.ts'
import { copyEvent } from './again.ts'
import { listAudit } from './audit-store.ts'
import * as deletion from './deletion/deletion.ts'
import { type EventPart, openPresent, saveParts } from './event-parts.ts'
import * as events from './events.ts'
import type { LinkCodes } from './links/link-codes.ts'
import { inviteByMail } from './links/links.ts'
import * as inviting from './members/invitations.ts'
import * as invitations from './members/invitations-store.ts'
import * as joining from './members/join.ts'
import * as members from './members/members-store.ts'
import * as membership from './members/membership.ts'
import * as ownership from './members/ownership.ts'
import { presentGuest, presentInvitation } from './present.ts'
import * as store from './store.ts'

const done = { done: true } as const

const presentHearing = (
  event_id: number,
  { level, muted_until, photos_at_once }: Awaited<ReturnType<typeof eventSettings>>,
) => ({ event_id, level, muted_until: muted_until?.toISOString() ?? null, photos_at_once })

const detailsOf = (input: Given<typeof contract.saveEvent>) => ({
  name: input.event_name,
  description: input.event_description ?? null,
  startsAt: input.event_starts_at,
  endsAt: input.event_ends_at ?? null,
  location: input.event_location ?? null,
  timezone: input.event_timezone,
  visibility: input.event_visibility,
  joinMode: input.event_join_mode,
  attachmentsToAlbum: input.event_attachments_to_album,
  guestsMayShare: input.event_guests_may_share,
  greetingsOnWall: input.event_greetings_on_wall,
  photoApproval: input.event_photo_approval,
})

type Tools = {
  media: Media
  limits: RateLimits
  registration: Registration
  acquaintance: inviting.Acquaintance
  strangersPerDay: number
  codes: LinkCodes
  eventParts: readonly EventPart[]
}

export const eventRoutes = (
  serve: Serve,
  { media, limits, registration, acquaintance, strangersPerDay, codes, eventParts }: Tools,
) => {
  const present = openPresent(eventParts)
  serve(
    contract.saveEvent,
    async ({ db, viewer, input, files, once, turn, ...presenting }) => {
      const { event_id: id } = input
      if (!id) registration.demandHost(viewer)
      if (id) demandPlanned(demandRight(await eventFor(db, viewer, id), 'manage'))
      const file = files.event_avatar?.[0]
      const avatar = file && (await media.keep(file, 'event_avatar', turn()))
      const asked = {
        details: detailsOf(input),
        avatar,
        saveParts: (tx: Transaction, eventId: number) => saveParts(tx, eventParts, eventId, input),
      }
      return once(async db => {
        const saved = await (id ? events.updateEvent(db, viewer, id, asked) : events.createEvent(db, viewer, asked))
        return present.one(db, saved, presenting)
      })
    },
    {
      keep: ({ id }) => ({ id }),
      replay: async ({ db, viewer, ...presenting }, kept: { id: number }) =>
        present.one(db, await eventFor(db, viewer, kept.id), presenting),
    },
  )

  serve(
    contract.copyEvent,
    async ({ viewer, input, once, db, ...presenting }) => {
      registration.demandHost(viewer)
      demandRight(await eventFor(db, viewer, input.event_id), 'manage')
      const asked = {
        eventId: input.event_id,
        startsAt: input.event_starts_at,
        name: input.event_name,
        invites: input.guests_invited ?? true,
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

  serve(contract.listEvents, async ({ db, viewer, input, page, ...presenting }) => {
    const rows = await store.listEvents(db, viewer.id, input.filter ?? 'mine', rangeOf(input))
    return page(await present.all(db, rows, presenting), event => event)
  })

  serve(contract.readEvent, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await eventFor(db, viewer, input.event_id), presenting),
  )

  serve(contract.cancelEvent, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await events.cancelEvent(db, viewer, input.event_id), presenting),
  )

  serve(contract.deleteEvent, async ({ db, viewer, input }) => {
    await deletion.deleteEvent(db, viewer, input.event_id)
    return done
  })

  serve(contract.restoreEvent, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await deletion.restoreEvent(db, viewer, input.event_id), presenting),
  )

  serve(
    contract.askToJoin,
    async ({ viewer, input, once }) =>
      once(async db => ({ join_request_status: await joining.askToJoin(db, limits, viewer, input.event_id) })),
    {
      replay: async ({ db, viewer, input }, kept) => {
        await eventFor(db, viewer, input.event_id)
        return kept
      },
    },
  )

  serve(contract.withdrawJoinRequest, async ({ db, viewer, input }) => {
    await joining.withdrawJoinRequest(db, viewer, input.event_id)
    return { join_request_status: 'withdrawn' }
  })

  serve(contract.listJoinRequests, async ({ db, viewer, input, urls, page }) => {
    const people = await waitingFor(db, viewer, input.event_id, rangeOf(input))
    return page(people, person => presentMinimalUser(person, urls))
  })

  serve(contract.approveJoinRequest, async ({ db, viewer, input }) => {
    await joining.approveJoinRequest(db, viewer, input.event_id, input.user_id)
    return { join_request_status: 'approved' }
  })

  serve(contract.rejectJoinRequest, async ({ db, viewer, input }) => {
    await joining.rejectJoinRequest(db, viewer, input.event_id, input.user_id)
    return { join_request_status: 'rejected' }
  })

  serve(
    contract.invite,
    async ({ viewer, input, language, once }) => {
      const { event_id: eventId, user_ids: userIds, user_emails: addresses } = input
      return once(db =>
        transact(db, async tx => {
          const asked = { eventId, acquaintance, strangersPerDay }
          const invited = userIds ? await inviting.invite(tx, viewer, { ...asked, userIds }) : 0
          const mailed = addresses ? await inviteByMail(tx, codes, viewer, { eventId, addresses, language }) : 0
          return { invited_count: invited + mailed }
        }),
      )
    },
    {
      replay: async ({ db, viewer, input }, kept) => {
        demandRight(await eventFor(db, viewer, input.event_id), 'invite')
        return kept
      },
    },
  )

  serve(contract.listInvitations, async ({ db, viewer, input, page, ...presenting }) => {
    const rows = await invitations.listInvitations(db, viewer.id, rangeOf(input))
    const invitedTo = [
      ...(
        await store.eventsById(
          db,
          viewer.id,
          rows.map(row => row.event_id),
        )
      ).values(),
    ]
    const events = new Map((await present.all(db, invitedTo, presenting)).map(event => [event.id, event]))
    const persons = await personsById(
      db,
      rows.map(row => row.invited_by),
    )
    return page(
      rows.filter(row => events.has(row.event_id)),
      row => {
        const event = events.get(row.event_id) as NonNullable<ReturnType<typeof events.get>>
        return presentInvitation(row, { event, invitedBy: persons.get(row.invited_by) as Person }, presenting.urls)
      },
    )
  })

  serve(contract.acceptInvitation, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await inviting.acceptInvitation(db, viewer, input.invitation_id), presenting),
  )

  serve(contract.declineInvitation, async ({ db, viewer, input }) => {
    await inviting.declineInvitation(db, viewer, input.invitation_id)
    return done
  })

  serve(contract.listGuests, async ({ db, viewer, input, urls, page }) => {
    const event = demandInEvent(await eventFor(db, viewer, input.event_id))
    const rows = await members.listGuests(db, event, input.name, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.user_id),
    )
    return page(rows, row => presentGuest(row, persons.get(row.user_id) as Person, urls))
  })

  /**
   * Those of the people whom the viewer may currently see: anyone who was ever in the event, and anyone they may find
   * anyway.
   */
  const personsSeen = async (db: Db, viewer: Viewer, eventId: number, ids: readonly number[]) => {
    const [inside, findable] = [await members.everIn(db, eventId, ids), await acquaintance.findableOf(db, viewer, ids)]
    return personsById(
      db,
      ids.filter(id => inside.has(id) || findable.has(id)),
    )
  }

  serve(contract.listAudit, async ({ db, viewer, input, urls, page }) => {
    const event = demandRight(await eventFor(db, viewer, input.event_id), 'manage')
    const rows = await listAudit(db, event, rangeOf(input))
    const named = rows.flatMap(row => (row.user_id === null ? row.actor_id : [row.actor_id, row.user_id]))
    const persons = await personsSeen(db, viewer, input.event_id, named)
    const person = (id: number) => presentMinimalUser(persons.get(id) ?? nobody(id), urls)
    return page(rows, row => ({
      id: row.id,
      audit_act: row.act,
      user: person(row.actor_id),
      subject_id: row.subject_id,
      about: row.user_id === null ? null : person(row.user_id),
      created_at: row.created_at.toISOString(),
    }))
  })

  serve(contract.removeGuest, async ({ db, viewer, input }) => {
    await membership.removeGuest(db, viewer, input.event_id, input.user_id)
    return done
  })

  serve(contract.leaveEvent, async ({ db, viewer, input }) => {
    await membership.leaveEvent(db, viewer, input.event_id)
    return done
  })

  serve(readEventLevel, async ({ db, viewer, input: { event_id } }) => {
    demandInEvent(await eventFor(db, viewer, event_id))
    return presentHearing(event_id, await eventSettings(db, viewer, event_id))
  })

  serve(saveEventLevel, async ({ db, viewer, input }) => {
    const { event_id, level, muted_until: mutedUntil, photos_at_once: photosAtOnce } = input
    demandInEvent(await eventFor(db, viewer, event_id))
    const wish = { level, mutedUntil, photosAtOnce }
    return presentHearing(event_id, await changeEventSettings(db, viewer, event_id, wish))
  })

  serve(contract.makeOrganizer, async ({ db, viewer, input, urls }) =>
    presentOne(db, await membership.makeOrganizer(db, viewer, input.event_id, input.user_id), urls),
  )

  serve(contract.unmakeOrganizer, async ({ db, viewer, input, urls }) =>
    presentOne(db, await membership.unmakeOrganizer(db, viewer, input.event_id, input.user_id), urls),
  )

  serve(contract.handOver, async ({ db, viewer, input, urls }) =>
    presentOne(db, await ownership.handOver(db, viewer, input.event_id, input.user_id), urls),
  )

  serve(contract.endOffer, async ({ db, viewer, input }) => {
    await ownership.endOffer(db, viewer, input.event_id, input.user_id)
    return done
  })
}

const presentOne = async (db: Db, row: members.GuestRow, urls: Urls) =>
  presentGuest(row, (await personsById(db, [row.user_id])).get(row.user_id) as Person, urls)
