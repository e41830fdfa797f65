import type * as accountsContract from '@afterglow/contract/accounts'
import type * as passwordsContract from '@afterglow/contract/accounts/passwords'
import type * as sessionsContract from '@afterglow/contract/accounts/sessions'
import type * as announcementsContract from '@afterglow/contract/announcements'
import type * as chatsContract from '@afterglow/contract/chats'
import type * as attachmentsContract from '@afterglow/contract/chats/attachments'
import type * as messagesContract from '@afterglow/contract/chats/messages'
import type * as reactionsContract from '@afterglow/contract/chats/reactions'
import type * as seenMarksContract from '@afterglow/contract/chats/seen-marks'
import type * as commentsContract from '@afterglow/contract/comments'
import type * as eventsContract from '@afterglow/contract/events'
import type * as auditContract from '@afterglow/contract/events/audit'
import type * as invitationsContract from '@afterglow/contract/events/invitations'
import type * as joinRequestsContract from '@afterglow/contract/events/join-requests'
import type * as membersContract from '@afterglow/contract/events/members'
import type * as galleryContract from '@afterglow/contract/gallery'
import type * as deletedPhotosContract from '@afterglow/contract/gallery/deleted-photos'
import type * as photoModerationContract from '@afterglow/contract/gallery/moderation'
import type * as linksContract from '@afterglow/contract/links'
import type * as openedLinksContract from '@afterglow/contract/links/opened-links'
import type * as sentAwayContract from '@afterglow/contract/links/sent-away'
import type * as notificationsContract from '@afterglow/contract/notifications'
import type * as channelContract from '@afterglow/contract/notifications/channel'
import type * as notificationSettingsContract from '@afterglow/contract/notifications/notification-settings'
import type * as pushDevicesContract from '@afterglow/contract/notifications/push-devices'
import { operationsBySlice } from '@afterglow/contract/operations'
import type * as peopleContract from '@afterglow/contract/people'
import type * as plansContract from '@afterglow/contract/plans'
import type * as privacyContract from '@afterglow/contract/privacy'
import type * as providersContract from '@afterglow/contract/providers'
import type * as recoveryContract from '@afterglow/contract/recovery'
import type * as returnsContract from '@afterglow/contract/returns'
import type { Answer } from '@afterglow/contract/route'
import type * as transfersContract from '@afterglow/contract/transfers'
import type * as uploadsContract from '@afterglow/contract/uploads'
import type * as webhooksContract from '@afterglow/contract/webhooks'
import { expect, test } from 'vitest'
import * as accounts from './accounts.ts'
import * as announcements from './announcements.ts'
import * as chats from './chats.ts'
import * as events from './events.ts'
import * as gallery from './gallery.ts'
import * as links from './links.ts'
import * as notifications from './notifications.ts'
import type { Fields } from './operation.ts'
import * as people from './people.ts'
import * as plans from './plans.ts'
import * as privacy from './privacy.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'
import * as returns from './returns.ts'
import * as transfers from './transfers.ts'
import * as webhooks from './webhook-operations.ts'

const slices = {
  accounts,
  providers,
  recovery,
  transfers,
  returns,
  notifications,
  events,
  announcements,
  links,
  plans,
  people,
  gallery,
  chats,
  privacy,
  webhooks,
}

test.each(Object.entries(slices))(
  'the methods of %s are the operations of the contract, at the same addresses',
  (name, slice) => {
    const offered = Object.entries(slice).map(([method, { method: verb, path }]) => [method, verb, path])
    const stated = operationsBySlice[name as keyof typeof operationsBySlice].map(({ name, at }) => [
      name,
      ...(at[0] ?? []),
    ])
    expect(offered.sort()).toEqual(stated.sort())
  },
)

/** The contract's operations as the client's method types: the minimal input, and the output. */
type Stated<Slice> = {
  [Name in keyof Slice as Slice[Name] extends { perMinute: unknown } ? Name : never]: {
    readonly types?: { input: Fields<Slice[Name]>; reply: Answer<Slice[Name]> }
  }
}

test('every method takes and gives what its operation states, checked by the compiler', () => {
  const typed: [
    Stated<typeof accountsContract & typeof sessionsContract & typeof passwordsContract>,
    Stated<typeof providersContract>,
    Stated<typeof recoveryContract>,
    Stated<
      typeof notificationsContract &
        typeof notificationSettingsContract &
        typeof pushDevicesContract &
        typeof channelContract
    >,
    Stated<
      typeof eventsContract &
        typeof membersContract &
        typeof invitationsContract &
        typeof joinRequestsContract &
        typeof auditContract
    >,
    Stated<typeof announcementsContract>,
    Stated<typeof linksContract & typeof openedLinksContract & typeof sentAwayContract>,
    Stated<typeof plansContract>,
    Stated<typeof peopleContract>,
    Stated<
      typeof galleryContract &
        typeof deletedPhotosContract &
        typeof photoModerationContract &
        typeof commentsContract &
        typeof uploadsContract
    >,
    Stated<
      typeof chatsContract &
        typeof messagesContract &
        typeof attachmentsContract &
        typeof reactionsContract &
        typeof seenMarksContract
    >,
    Stated<typeof privacyContract>,
    Stated<typeof transfersContract>,
    Stated<typeof returnsContract>,
    Stated<typeof webhooksContract>,
  ] = [
    accounts,
    providers,
    recovery,
    notifications,
    events,
    announcements,
    links,
    plans,
    people,
    gallery,
    chats,
    privacy,
    transfers,
    returns,
    webhooks,
  ]
  expect(typed).toHaveLength(Object.keys(slices).length)
})
