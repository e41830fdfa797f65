import type * as accounts from '@afterglow/contract/accounts'
import type * as chats from '@afterglow/contract/chats'
import type * as events from '@afterglow/contract/events'
import type * as gallery from '@afterglow/contract/gallery'
import type * as leaving from '@afterglow/contract/leaving'
import type * as links from '@afterglow/contract/links'
import type * as notifications from '@afterglow/contract/notifications'
import type * as people from '@afterglow/contract/people'
import type * as providers from '@afterglow/contract/providers'
import type * as recovery from '@afterglow/contract/recovery'
import type * as streams from '@afterglow/contract/streams'

type CodesOf<Slice> = {
  [Name in keyof Slice]: Slice[Name] extends { refusals: infer Refusals } ? keyof Refusals & string : never
}[keyof Slice]

/** Every refusal that some operation of the contract documents: a code outside of it does not compile. */
export type RefusalCode =
  | CodesOf<typeof accounts>
  | CodesOf<typeof providers>
  | CodesOf<typeof recovery>
  | CodesOf<typeof notifications>
  | CodesOf<typeof events>
  | CodesOf<typeof links>
  | CodesOf<typeof people>
  | CodesOf<typeof leaving>
  | CodesOf<typeof gallery>
  | CodesOf<typeof chats>
  | CodesOf<typeof streams>
