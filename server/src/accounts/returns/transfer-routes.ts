import * as contract from '@afterglow/contract/transfers'
import type { Serve, ServeEither, ServeOpen } from '../../platform/http/serve.ts'
import { deviceOf } from '../account-fields.ts'
import type { Person } from '../persons.ts'
import { personsById } from '../persons-sql.ts'
import { presentMinimalUser } from '../present-person.ts'
import type { AccountReplies } from '../present-replies.ts'
import { presentTransfer } from './present-transfer.ts'
import * as transfers from './transfers.ts'

type Routes = { serve: Serve; serveOpen: ServeOpen; serveEither: ServeEither }

export const transferRoutes = ({ serve, serveOpen, serveEither }: Routes, { answers }: { answers: AccountReplies }) => {
  serve(contract.makeTransfer, async ({ db, viewer, urls }) =>
    presentTransfer(await transfers.makeTransfer(db, viewer), urls),
  )

  serveOpen(contract.openTransfer, async ({ db, input, urls }) => {
    const userId = await transfers.openTransfer(db, input.transfer_code)
    return { user: presentMinimalUser((await personsById(db, [userId])).get(userId) as Person, urls) }
  })

  serveEither(contract.takeTransfer, async ({ db, input, urls, caller, languageAsked }) => {
    const device = deviceOf(input, languageAsked)
    const signedIn = await transfers.takeTransfer(db, input.transfer_code, device, caller?.viewer)
    return answers.signedIn(db, signedIn, urls)
  })
}
