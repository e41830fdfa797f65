import * as contract from '@afterglow/contract/transfers'
import type { Serve, ServeOpen } from '../platform/http/serve.ts'
import { qrSvg } from '../platform/media/qr-codes.ts'
import { deviceOf } from './account-fields.ts'
import type { Person } from './persons.ts'
import { personsById } from './persons-sql.ts'
import type { Answers } from './present-answers.ts'
import { presentMinimalUser } from './present-person.ts'
import * as transfers from './transfers.ts'

export const transferRoutes = (serve: Serve, serveOpen: ServeOpen, { answers }: { answers: Answers }) => {
  serve(contract.makeTransfer, async ({ db, viewer, urls }) => {
    const { code, expiresAt } = await transfers.makeTransfer(db, viewer)
    const url = `${urls.origin}/transfer#code=${code}`
    return {
      transfer_url: url,
      transfer_qr: `data:image/svg+xml;base64,${Buffer.from(await qrSvg(url)).toString('base64')}`,
      transfer_expires_at: expiresAt.toISOString(),
    }
  })

  serveOpen(contract.openTransfer, async ({ db, input, urls }) => {
    const userId = await transfers.openTransfer(db, input.transfer_code)
    return { user: presentMinimalUser((await personsById(db, [userId])).get(userId) as Person, urls) }
  })

  serveOpen(contract.takeTransfer, async ({ db, input, urls, languageAsked }) => {
    const device = deviceOf(input, languageAsked)
    return answers.signedIn(db, await transfers.takeTransfer(db, input.transfer_code, device), urls)
  })
}
