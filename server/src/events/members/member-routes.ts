import * as contract from '@afterglow/contract/events/members'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { eventFor, maySeeGuests, requireMember } from '../access.ts'
import { presentGuest } from '../present.ts'
import * as store from './members-store.ts'
import * as membership from './membership.ts'
import * as ownership from './ownership.ts'

const done = { done: true } as const

export const memberRoutes = (serve: Serve) => {
  serve(contract.listGuests, async ({ db, viewer, input, urls, page }) => {
    const event = requireMember(await eventFor(db, viewer, input.event_id))
    const rows = await store.listGuests(
      db,
      event,
      { name: input.name, seenBy: viewer.id, all: maySeeGuests(event) },
      rangeOf(input),
    )
    const persons = await personsById(
      db,
      rows.map(row => row.user_id),
    )
    return page(rows, row => presentGuest(row, persons.get(row.user_id) as Person, urls))
  })

  serve(contract.removeGuest, async ({ db, viewer, input }) => {
    await membership.removeGuest(db, viewer, input.event_id, input.user_id)
    return done
  })

  serve(contract.bringGuestBack, async ({ db, viewer, input }) => {
    await membership.bringGuestBack(db, viewer, input.event_id, input.user_id)
    return done
  })

  serve(contract.leaveEvent, async ({ db, viewer, input }) => {
    await membership.leaveEvent(db, viewer, input.event_id)
    return done
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

const presentOne = async (db: Db, row: store.GuestRow, urls: Urls) =>
  presentGuest(row, (await personsById(db, [row.user_id])).get(row.user_id) as Person, urls)
