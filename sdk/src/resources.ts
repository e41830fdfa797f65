/* Generated from the contract by `npm run documents`. */
import type * as accountsSessions from '@afterglow/contract/accounts/sessions'
import type * as accountsUser from '@afterglow/contract/accounts/user'
import type * as announcements from '@afterglow/contract/announcements'
import type * as cards from '@afterglow/contract/cards'
import type * as chats from '@afterglow/contract/chats'
import type * as chatsMessage from '@afterglow/contract/chats/message'
import type * as comments from '@afterglow/contract/comments'
import type * as eventsAudit from '@afterglow/contract/events/audit'
import type * as eventsEvent from '@afterglow/contract/events/event'
import type * as eventsInvitations from '@afterglow/contract/events/invitations'
import type * as eventsMembers from '@afterglow/contract/events/members'
import type * as gallery from '@afterglow/contract/gallery'
import type * as galleryDeletedPhotos from '@afterglow/contract/gallery/deleted-photos'
import type * as galleryModeration from '@afterglow/contract/gallery/moderation'
import type * as links from '@afterglow/contract/links'
import type * as linksOpenedLinks from '@afterglow/contract/links/opened-links'
import type * as linksScreens from '@afterglow/contract/links/screens'
import type * as linksSentAway from '@afterglow/contract/links/sent-away'
import type * as notifications from '@afterglow/contract/notifications'
import type * as notificationsNotificationSettings from '@afterglow/contract/notifications/notification-settings'
import type * as people from '@afterglow/contract/people'
import type * as photo from '@afterglow/contract/photo'
import type * as plans from '@afterglow/contract/plans'
import type * as privacy from '@afterglow/contract/privacy'
import type * as programmeFields from '@afterglow/contract/programme-fields'
import type * as returns from '@afterglow/contract/returns'
import type * as transfers from '@afterglow/contract/transfers'
import type * as uploads from '@afterglow/contract/uploads'
import type * as waiting from '@afterglow/contract/waiting'
import type * as wall from '@afterglow/contract/wall'
import type * as webhooks from '@afterglow/contract/webhooks'
import type { Resource } from '@afterglow/contract/route'

export type Device = Resource<typeof accountsSessions.Device>
export type SeenUser = Resource<typeof accountsUser.SeenUser>
export type MinimalUser = Resource<typeof accountsUser.MinimalUser>
export type MinimalUserWithFriend = Resource<typeof accountsUser.MinimalUserWithFriend>
export type Account = Resource<typeof accountsUser.Account>
export type AuthenticatedAccount = Resource<typeof accountsUser.AuthenticatedAccount>
export type Announcement = Resource<typeof announcements.Announcement>
export type Poll = Resource<typeof cards.Poll>
export type PinnedMessage = Resource<typeof chats.PinnedMessage>
export type GroupChat = Resource<typeof chats.GroupChat>
export type RepliedMessage = Resource<typeof chatsMessage.RepliedMessage>
export type RepliedMessageInChat = Resource<typeof chatsMessage.RepliedMessageInChat>
export type MessageReaction = Resource<typeof chatsMessage.MessageReaction>
export type MessageReactionInChat = Resource<typeof chatsMessage.MessageReactionInChat>
export type Attachment = Resource<typeof chatsMessage.Attachment>
export type Message = Resource<typeof chatsMessage.Message>
export type LatestMessage = Resource<typeof chatsMessage.LatestMessage>
export type Comment = Resource<typeof comments.Comment>
export type CommentReactedUser = Resource<typeof comments.CommentReactedUser>
export type AuditEntry = Resource<typeof eventsAudit.AuditEntry>
export type Event = Resource<typeof eventsEvent.Event>
export type Invitation = Resource<typeof eventsInvitations.Invitation>
export type Guest = Resource<typeof eventsMembers.Guest>
export type AlbumLink = Resource<typeof gallery.AlbumLink>
export type AlbumTimeline = Resource<typeof gallery.AlbumTimeline>
export type DeletedPhoto = Resource<typeof galleryDeletedPhotos.DeletedPhoto>
export type PhotosDecided = Resource<typeof galleryModeration.PhotosDecided>
export type EventLink = Resource<typeof links.EventLink>
export type OpenedEvent = Resource<typeof linksOpenedLinks.OpenedEvent>
export type OpenedLink = Resource<typeof linksOpenedLinks.OpenedLink>
export type LinkView = Resource<typeof linksOpenedLinks.LinkView>
export type Screen = Resource<typeof linksScreens.Screen>
export type SentAway = Resource<typeof linksSentAway.SentAway>
export type Notification = Resource<typeof notifications.Notification>
export type Trace = Resource<typeof notifications.Trace>
export type NotificationSettings = Resource<typeof notificationsNotificationSettings.NotificationSettings>
export type EventNotificationSettings = Resource<typeof notificationsNotificationSettings.EventNotificationSettings>
export type UserDetails = Resource<typeof people.UserDetails>
export type Report = Resource<typeof people.Report>
export type Photo = Resource<typeof photo.Photo>
export type CalendarLink = Resource<typeof plans.CalendarLink>
export type CalendarFeed = Resource<typeof plans.CalendarFeed>
export type EventAnswer = Resource<typeof plans.EventAnswer>
export type GuestAnswer = Resource<typeof plans.GuestAnswer>
export type AnswersFile = Resource<typeof plans.AnswersFile>
export type RemindedGuests = Resource<typeof plans.RemindedGuests>
export type AccountExport = Resource<typeof privacy.AccountExport>
export type ProgrammeEntry = Resource<typeof programmeFields.ProgrammeEntry>
export type OwnCode = Resource<typeof returns.OwnCode>
export type ReturnRequest = Resource<typeof returns.ReturnRequest>
export type AccountTransfer = Resource<typeof transfers.AccountTransfer>
export type PhotoAllowance = Resource<typeof uploads.PhotoAllowance>
export type Waiting = Resource<typeof waiting.Waiting>
export type WallLink = Resource<typeof wall.WallLink>
export type Wall = Resource<typeof wall.Wall>
export type Happening = Resource<typeof webhooks.Happening>
export type Webhook = Resource<typeof webhooks.Webhook>
export type WebhookDelivery = Resource<typeof webhooks.WebhookDelivery>
