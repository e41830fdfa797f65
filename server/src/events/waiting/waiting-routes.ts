import * as contract from '@afterglow/contract/waiting'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { presentWaiting } from './present.ts'
import { type WaitingCounts, waitingIn } from './waiting.ts'
import { organizedBy } from './waiting-store.ts'

export const waitingRoutes = (serve: Serve, counts: WaitingCounts) =>
  serve(contract.listWaiting, async ({ db, viewer, input, page }) => {
    const events = await organizedBy(db, viewer.id)
    const waiting = await waitingIn(db, counts, events)
    const all = events.flatMap(event => waiting(event).map(one => ({ ...one, event })))
    all.sort((a, b) => a.since.getTime() - b.since.getTime() || a.event.id - b.event.id)
    const { offset, limit } = rangeOf(input)
    return page(all.slice(offset, offset + limit), one => ({
      event_id: one.event.id,
      event_name: one.event.name,
      ...presentWaiting(one),
    }))
  })
