import type * as passwords from './accounts/passwords.ts'
import type * as sessions from './accounts/sessions.ts'
import type * as accounts from './accounts.ts'
import type * as announcements from './announcements.ts'
import type * as attachments from './chats/attachments.ts'
import type * as messages from './chats/messages.ts'
import type * as chats from './chats.ts'
import type * as comments from './comments.ts'
import type * as invitations from './events/invitations.ts'
import type * as joinRequests from './events/join-requests.ts'
import type * as members from './events/members.ts'
import type * as events from './events.ts'
import type * as deletedPhotos from './gallery/deleted-photos.ts'
import type * as photoModeration from './gallery/moderation.ts'
import type * as gallery from './gallery.ts'
import type * as openedLinks from './links/opened-links.ts'
import type * as screens from './links/screens.ts'
import type * as sentAway from './links/sent-away.ts'
import type * as links from './links.ts'
import type * as notificationSettings from './notifications/notification-settings.ts'
import type * as pushDevices from './notifications/push-devices.ts'
import type * as notifications from './notifications.ts'
import type * as people from './people.ts'
import type * as plans from './plans.ts'
import type * as polls from './polls.ts'
import type * as privacy from './privacy.ts'
import type * as providers from './providers.ts'
import type * as recovery from './recovery.ts'
import type * as returns from './returns.ts'
import type * as streams from './streams.ts'
import type * as uploads from './uploads.ts'
import type * as wall from './wall.ts'
import type * as webhooks from './webhooks.ts'

type CodesOf<Slice> = {
  [Name in keyof Slice]: Slice[Name] extends { refusals: infer Refusals } ? keyof Refusals & string : never
}[keyof Slice]

/** Refusals that any operation may return, by status. */
export const generalCodes = {
  400: 'unreadable',
  401: 'unauthenticated',
  404: 'notFound',
  405: 'wrongMethod',
  409: 'wrongOffset',
  412: 'otherTusVersion',
  413: 'tooLarge',
  416: 'noSuchRange',
  417: 'unmetExpectation',
  423: 'otherWriter',
  429: 'tooManyRequests',
  500: 'fault',
  503: 'unavailable',
} as const
/** One or more fields of the request are invalid; the body names each. */
export const invalidCode = 'invalid'
/** The token is one that a link gives, and the operation is not among what such a link is for. */
export const notForLinkCode = 'notForLink'

/** All that an operation may return without naming it. */
export const anyCodes = [...Object.values(generalCodes), invalidCode, notForLinkCode] as const
export type GeneralCode = (typeof anyCodes)[number]

/** Every refusal documented by an operation of the contract. Any other code does not compile. */
export type RefusalCode =
  | CodesOf<typeof accounts>
  | CodesOf<typeof sessions>
  | CodesOf<typeof passwords>
  | CodesOf<typeof providers>
  | CodesOf<typeof recovery>
  | CodesOf<typeof returns>
  | CodesOf<typeof notifications>
  | CodesOf<typeof notificationSettings>
  | CodesOf<typeof pushDevices>
  | CodesOf<typeof events>
  | CodesOf<typeof members>
  | CodesOf<typeof invitations>
  | CodesOf<typeof joinRequests>
  | CodesOf<typeof announcements>
  | CodesOf<typeof links>
  | CodesOf<typeof openedLinks>
  | CodesOf<typeof screens>
  | CodesOf<typeof sentAway>
  | CodesOf<typeof people>
  | CodesOf<typeof privacy>
  | CodesOf<typeof uploads>
  | CodesOf<typeof gallery>
  | CodesOf<typeof deletedPhotos>
  | CodesOf<typeof photoModeration>
  | CodesOf<typeof comments>
  | CodesOf<typeof chats>
  | CodesOf<typeof messages>
  | CodesOf<typeof attachments>
  | CodesOf<typeof plans>
  | CodesOf<typeof polls>
  | CodesOf<typeof wall>
  | CodesOf<typeof webhooks>
  | CodesOf<typeof streams>
