import * as contract from '@afterglow/contract/returns'
import type { Serve, ServeOpen } from '../../platform/http/serve.ts'
import { deviceOf } from '../account-fields.ts'
import type { AccountReplies } from '../present-replies.ts'
import type { OwnCodes } from './own-codes.ts'
import { codeLink } from './present-transfer.ts'
import { returnByKey } from './return-keys.ts'
import { keepOwnCode } from './transfers.ts'

export const returnRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { answers, codes }: { answers: AccountReplies; codes: OwnCodes },
) => {
  serveOpen(contract.returnByKey, async ({ db, input, urls, languageAsked }) => {
    const keys = { key: input.return_key, nextKey: input.next_return_key }
    return answers.signedIn(db, await returnByKey(db, keys, deviceOf(input, languageAsked)), urls)
  })

  serve(contract.keepOwnCode, async ({ db, viewer, input, urls }) => {
    const code = await keepOwnCode(db, codes, viewer, { renew: input.renew ?? false })
    const { url, qr } = await codeLink(code, urls)
    return { code_text: code, code_url: url, code_qr: qr }
  })
}
