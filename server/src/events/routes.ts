import * as contract from '@afterglow/contract/events'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { eventFor } from './access.ts'
import * as deletion from './deletion/deletion.ts'
import { type EventPart, openPresent } from './event-parts.ts'
import * as events from './events.ts'
import * as store from './store.ts'

const done = { done: true } as const

export const eventRoutes = (serve: Serve, eventParts: readonly EventPart[]) => {
  const present = openPresent(eventParts)

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

  serve(contract.uncancelEvent, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await events.uncancelEvent(db, viewer, input.event_id), presenting),
  )

  serve(contract.deleteEvent, async ({ db, viewer, input }) => {
    await deletion.deleteEvent(db, viewer, input.event_id)
    return done
  })

  serve(contract.restoreEvent, async ({ db, viewer, input, ...presenting }) =>
    present.one(db, await deletion.restoreEvent(db, viewer, input.event_id), presenting),
  )
}
