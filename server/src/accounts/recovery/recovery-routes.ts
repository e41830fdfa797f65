import * as contract from '@afterglow/contract/recovery'
import type { Serve, ServeOpen } from '../../platform/http/serve.ts'
import type { AccountReplies } from '../present-replies.ts'
import * as recovery from './recovery.ts'

const done = { done: true } as const

export const recoveryRoutes = (serve: Serve, serveOpen: ServeOpen, { answers }: { answers: AccountReplies }) => {
  serveOpen(contract.forgotPassword, async ({ db, input, language }) => {
    await recovery.forgotPassword(db, input.user_email, language)
    return done
  })

  serveOpen(contract.resetPassword, async ({ db, input, language }) => {
    await recovery.resetPassword(db, { code: input.reset_code, password: input.user_password }, language)
    return done
  })

  serveOpen(contract.undoEmail, async ({ db, input }) => {
    await recovery.undoEmail(db, input.undo_code)
    return done
  })

  serve(contract.verifyEmail, async ({ db, viewer, input, urls }) => {
    await recovery.verifyEmail(db, viewer, input.verification_code)
    return answers.account(db, viewer.id, urls)
  })

  serve(contract.resendVerification, async ({ db, viewer, language }) => {
    await recovery.resendVerification(db, viewer, language)
    return done
  })
}
