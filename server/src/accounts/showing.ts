import type { AuthenticatedAccount } from '@afterglow/contract/accounts'
import type { z } from 'zod'
import type { Db } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { presentAccount } from './present.ts'
import type { Session } from './sessions.ts'
import { readAccount } from './store.ts'

export type SignedIn = { userId: number; session: Session }

/** What every way of signing in answers: the account, and a token to go on with. */
export const showSignedIn = async (
  db: Db,
  { userId, session }: SignedIn,
  urls: Urls,
): Promise<z.output<typeof AuthenticatedAccount>> => ({
  user: presentAccount(await readAccount(db, userId), urls),
  token: session.token,
  token_expiration: session.expiresAt.toISOString(),
})
