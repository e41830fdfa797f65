import * as contract from '@afterglow/contract/returns'
import type { Serve } from '../platform/http/serve.ts'
import * as returns from './returns.ts'

export const returnRoutes = (serve: Serve) => {
  serve(contract.makeReturnKey, async ({ db, viewer, input }) => {
    await returns.makeReturnKey(db, viewer, input.event_id, input.return_key)
    return { done: true as const }
  })
}
