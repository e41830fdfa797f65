import * as contract from '@afterglow/contract/accounts/passwords'
import type { RateLimits } from '../../platform/http/limits.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { changePassword } from '../profile.ts'
import { prove } from '../proofs.ts'

export const passwordRoutes = (serve: Serve, limits: RateLimits) => {
  serve(contract.updatePassword, async ({ db, viewer, input, language }) => {
    const { current_password: current, user_password: next, keep_calendar: keepsCalendar = false } = input
    await changePassword(db, limits, viewer, { current, next, keepsCalendar }, language)
    return { done: true } as const
  })

  serve(contract.proveAccount, async ({ db, viewer, input }) => ({
    proven_until: (await prove(db, limits, viewer, input.user_password)).toISOString(),
  }))
}
