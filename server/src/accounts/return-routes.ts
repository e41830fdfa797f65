import * as contract from '@afterglow/contract/returns'
import type { ServeOpen } from '../platform/http/serve.ts'
import { deviceOf } from './account-fields.ts'
import type { Answers } from './present-answers.ts'
import { returnByKey } from './return-keys.ts'

export const returnRoutes = (serveOpen: ServeOpen, { answers }: { answers: Answers }) => {
  serveOpen(contract.returnByKey, async ({ db, input, urls, languageAsked }) => {
    const keys = { key: input.return_key, nextKey: input.next_return_key }
    return answers.signedIn(db, await returnByKey(db, keys, deviceOf(input, languageAsked)), urls)
  })
}
