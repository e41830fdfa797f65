/**
 * The slices of the interface: a new one signs here. Operations, refusals and their codes, the pages that explain them,
 * the tags of the document and the SDK's client follow. A slice that another folder of the service serves says which.
 */
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
import * as streams from './streams.ts'
import * as transfers from './transfers.ts'
import * as uploads from './uploads.ts'
import * as waiting from './waiting.ts'
import * as wall from './wall.ts'
import * as webhooks from './webhooks.ts'

type Slice = {
  /** Its chapter in the document. */
  tag: { name: string; description: string }
  /** Where its operations, streams and pages of refusals are declared. */
  parts: readonly object[]
  /** The slice of the service that serves it, if that has another name. */
  within?: string
}

export const slices = {
  accounts: {
    tag: { name: 'Accounts', description: 'Registration, sign-in, the account and its devices.' },
    parts: [accounts, sessions, passwords],
  },
  providers: {
    tag: {
      name: 'Sign-in with a provider',
      description: 'Sign-in with Google, Apple, Facebook and OpenID providers.',
    },
    parts: [providers],
    within: 'accounts',
  },
  recovery: {
    tag: { name: 'E-mail and forgotten passwords', description: 'E-mail verification and password reset.' },
    parts: [recovery],
    within: 'accounts',
  },
  returns: {
    tag: { name: 'Coming back', description: 'How guests without a password come back as themselves.' },
    parts: [returns],
    within: 'events',
  },
  transfers: {
    tag: { name: 'Another device', description: 'Signing in on another device with a code.' },
    parts: [transfers],
    within: 'accounts',
  },
  notifications: {
    tag: {
      name: 'Notifications and realtime',
      description: 'Notifications, the realtime channel, catching up on missed changes, and pushes.',
    },
    parts: [notifications, notificationSettings, pushDevices, channel],
  },
  events: {
    tag: { name: 'Events', description: 'Events, their guests, join requests and invitations.' },
    parts: [events, members, invitations, joinRequests, audit, waiting],
  },
  announcements: {
    tag: { name: 'Announcements', description: 'Announcements from organizers to everyone in an event.' },
    parts: [announcements],
    within: 'events',
  },
  links: {
    tag: { name: 'Joining by link', description: 'Invitation links and QR codes.' },
    parts: [links, sentAway, openedLinks, screens],
    within: 'events',
  },
  plans: { tag: { name: 'Plans', description: 'Events in one’s own calendar.' }, parts: [plans] },
  people: { tag: { name: 'People', description: 'Search, friends, blocks and reports.' }, parts: [people] },
  gallery: {
    tag: { name: 'Gallery', description: 'The photos and videos of an event, and their comments.' },
    parts: [uploads, gallery, deletedPhotos, photoModeration, comments, streams],
  },
  chats: {
    tag: { name: 'Group chats', description: 'The chat of an event.' },
    parts: [chats, messages, attachments, reactions, seenMarks],
  },
  polls: { tag: { name: 'Polls', description: 'Questions in a chat, on which people vote.' }, parts: [polls] },
  wall: {
    tag: { name: 'Live wall', description: 'What the screens of an event show, and their remote control.' },
    parts: [wall],
  },
  privacy: {
    tag: { name: 'Data export and account deletion', description: 'Exporting one’s data and deleting the account.' },
    parts: [privacy],
  },
  webhooks: {
    tag: { name: 'Webhooks', description: 'Signed HTTP callbacks for what happens in an event or the whole service.' },
    parts: [webhooks],
  },
} as const satisfies Record<string, Slice>

export type SliceName = keyof typeof slices
type Part = (typeof slices)[SliceName]['parts'][number]
type Declared<Of> = Of extends { refusals: infer Refusals } ? keyof Refusals & string : never
type CodesOf<Of> = Of extends unknown ? { [Name in keyof Of]: Declared<Of[Name]> }[keyof Of] : never
type PagesOf<Of> = Of extends { refusalPages: infer Pages } ? keyof Pages : never

/** Every refusal documented by an operation of the contract. Any other code does not compile. */
export type DeclaredCode = CodesOf<Part>
/** Those that a page explains. */
export type ExplainedCode = PagesOf<Part>

export const entriesOfSlices = Object.entries(slices) as [SliceName, Slice][]
