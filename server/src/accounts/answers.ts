import type { Db } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { presentAccount } from './present.ts'
import type { NewDevice } from './sessions.ts'
import type { SignedIn } from './signing-in.ts'
import * as store from './store.ts'

/** The two shapes that most operations on an account answer with. `labelOf` names the types of login options. */
export const openAnswers = (labelOf: (type: number) => string) => ({
  present: (row: store.AccountRow, urls: Urls) => presentAccount(row, urls, labelOf),

  account: async (db: Db, userId: number, urls: Urls) =>
    presentAccount(await store.readAccount(db, userId), urls, labelOf),

  signedIn: async (db: Db, { userId, session }: SignedIn, urls: Urls) => ({
    user: presentAccount(await store.readAccount(db, userId), urls, labelOf),
    token: session.token,
    token_expiration: session.expiresAt.toISOString(),
  }),
})

export type Answers = ReturnType<typeof openAnswers>

type DeviceFields = { device_id: string; user_timezone: string; user_device_platform: string }
export const deviceOf = (input: DeviceFields): NewDevice => ({
  deviceId: input.device_id,
  platform: input.user_device_platform,
  timezone: input.user_timezone,
})
