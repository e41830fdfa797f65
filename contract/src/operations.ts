/** Every operation of the interface by slice. The documents, the tests and the server iterate over it. */

import * as passwords from './accounts/passwords.ts'
import * as sessions from './accounts/sessions.ts'
import * as accounts from './accounts.ts'
import * as announcements from './announcements.ts'
import * as attachments from './chats/attachments.ts'
import * as messages from './chats/messages.ts'
import * as reactions from './chats/reactions.ts'
import * as seenMarks from './chats/seen-marks.ts'
import * as chats from './chats.ts'
import * as comments from './comments.ts'
import * as audit from './events/audit.ts'
import * as invitations from './events/invitations.ts'
import * as joinRequests from './events/join-requests.ts'
import * as members from './events/members.ts'
import * as events from './events.ts'
import * as deletedPhotos from './gallery/deleted-photos.ts'
import * as photoModeration from './gallery/moderation.ts'
import * as gallery from './gallery.ts'
import * as openedLinks from './links/opened-links.ts'
import * as screens from './links/screens.ts'
import * as sentAway from './links/sent-away.ts'
import * as links from './links.ts'
import * as channel from './notifications/channel.ts'
import * as notificationSettings from './notifications/notification-settings.ts'
import * as pushDevices from './notifications/push-devices.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as plans from './plans.ts'
import * as polls from './polls.ts'
import * as privacy from './privacy.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'
import * as returns from './returns.ts'
import type { Route } from './route.ts'
import * as transfers from './transfers.ts'
import * as uploads from './uploads.ts'
import * as waiting from './waiting.ts'
import * as wall from './wall.ts'
import * as webhooks from './webhooks.ts'

const routesOf = (slice: Record<string, unknown>) =>
  Object.values(slice).filter(
    (value): value is Route => typeof value === 'object' && value !== null && 'perMinute' in value,
  )

export const operationsBySlice = {
  accounts: [accounts, sessions, passwords].flatMap(routesOf),
  providers: routesOf(providers),
  recovery: routesOf(recovery),
  transfers: routesOf(transfers),
  returns: routesOf(returns),
  notifications: [notifications, notificationSettings, pushDevices, channel].flatMap(routesOf),
  events: [events, members, invitations, joinRequests, audit, waiting].flatMap(routesOf),
  announcements: routesOf(announcements),
  links: [links, sentAway, openedLinks, screens].flatMap(routesOf),
  plans: routesOf(plans),
  people: routesOf(people),
  gallery: [uploads, gallery, deletedPhotos, photoModeration, comments].flatMap(routesOf),
  chats: [chats, messages, attachments, reactions, seenMarks].flatMap(routesOf),
  polls: routesOf(polls),
  wall: routesOf(wall),
  privacy: routesOf(privacy),
  webhooks: routesOf(webhooks),
}

export const operations: Route[] = Object.values(operationsBySlice).flat()
