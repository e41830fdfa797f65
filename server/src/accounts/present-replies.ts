import type { Db } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { type AccountPresentation, presentAccount } from './present.ts'
import type { SignedIn } from './sessions/sign-in.ts'
import * as store from './store.ts'

/** The two shapes with which most account operations answer. */
export const openAccountReplies = (showing: AccountPresentation) => ({
  present: (row: store.AccountRow, urls: Urls) => presentAccount(row, urls, showing),

  account: async (db: Db, userId: number, urls: Urls) =>
    presentAccount(await store.readAccount(db, userId), urls, showing),

  signedIn: async (db: Db, { userId, session }: SignedIn, urls: Urls) => ({
    user: presentAccount(await store.readAccount(db, userId), urls, showing),
    token: session.token,
    token_expiration: session.expiresAt.toISOString(),
  }),
})

export type AccountReplies = ReturnType<typeof openAccountReplies>
