import * as contract from '@afterglow/contract/links/screens'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { eventFor, requireCapability } from '../access.ts'
import { endScreen } from './screens.ts'
import { listScreens } from './screens-store.ts'

export const screenRoutes = (serve: Serve) => {
  serve(contract.listScreens, async ({ db, viewer, input, page }) => {
    const event = requireCapability(await eventFor(db, viewer, input.event_id), 'invite')
    return page(await listScreens(db, event, rangeOf(input)), row => ({
      id: row.id,
      event_id: row.event_id,
      link_id: row.link_id,
      screen_seen_at: row.last_used_at.toISOString(),
      created_at: row.created_at.toISOString(),
    }))
  })

  serve(contract.endScreen, async ({ db, viewer, input }) => {
    await endScreen(db, viewer, input.screen_id)
    return { done: true as const }
  })
}
