import * as contract from '@afterglow/contract/events/join-requests'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { eventFor, waitingFor } from '../access.ts'
import * as joining from './join.ts'

export const joinRequestRoutes = (serve: Serve, limits: RateLimits) => {
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
}
