import * as contract from '@afterglow/contract/events/invitations'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { transact } from '../../platform/database/database.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { eventFor, requireCapability } from '../access.ts'
import { type EventPart, openPresent } from '../event-parts.ts'
import type { LinkCodes } from '../links/link-codes.ts'
import { inviteByMail } from '../links/links.ts'
import { presentInvitation } from '../present.ts'
import { eventsById } from '../store.ts'
import * as inviting from './invitations.ts'
import { listInvitations } from './invitations-store.ts'

const done = { done: true } as const

type Tools = {
  acquaintance: inviting.Acquaintance
  strangersPerDay: number
  codes: LinkCodes
  eventParts: readonly EventPart[]
}

export const invitationRoutes = (serve: Serve, { acquaintance, strangersPerDay, codes, eventParts }: Tools) => {
  const present = openPresent(eventParts)
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
        requireCapability(await eventFor(db, viewer, input.event_id), 'invite')
        return kept
      },
    },
  )

  serve(contract.listInvitations, async ({ db, viewer, input, page, ...presenting }) => {
    const rows = await listInvitations(db, viewer.id, rangeOf(input))
    const eventIds = rows.map(row => row.event_id)
    const invitedTo = [...(await eventsById(db, viewer.id, eventIds)).values()]
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
}
