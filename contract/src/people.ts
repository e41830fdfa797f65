import { z } from 'zod'
import { MinimalUser, MinimalUserWithFriend } from './accounts/user.ts'
import { reportLengthMax, searchLengthMax } from './limits.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import {
  Done,
  Id,
  IdNumber,
  maybe,
  OptionalId,
  Page,
  Paging,
  saidText,
  sentence,
  shape,
  Timestamp,
  text,
} from './words.ts'

export const FriendStatus = z.enum(['none', 'asked', 'asks_you', 'friends'])

export const UserDetails = shape('UserDetails', {
  ...MinimalUserWithFriend.shape,
  friend_status: FriendStatus,
  blocked: z.boolean(),
  created_at: Timestamp,
})

export const reportStatuses = ['open', 'resolved'] as const

const reportTypes = ['user', 'event', 'message', 'photo', 'comment'] as const

/** A report: its subject and reason. */
export const Report = shape('Report', {
  id: IdNumber,
  report_type: z.enum(reportTypes),
  report_target_id: IdNumber.describe('ID of the reported resource.'),
  /** Whether the viewer may see it. False if it is gone or in an event they have no access to. */
  report_target_visible: z.boolean().describe('Whether guests can still see the reported resource.'),
  report_reason: z.string(),
  report_status: z.enum(reportStatuses),
  /** Null if a person was reported outside any event, which only operators see. */
  event_id: IdNumber.nullable(),
  /** The photo that was reported or commented on. */
  event_photo_id: IdNumber.nullable(),
  /** The user who was reported or owns the item; null for an event. */
  about: MinimalUser.nullable(),
  /** The reporter. Operators see them, organizers never do. */
  reported_by: MinimalUser.nullable(),
  /** Null while the report is open, or if an operator resolved it. */
  resolved_by: MinimalUser.nullable(),
  resolved_at: Timestamp.nullable().describe('When the report was resolved.'),
  created_at: Timestamp,
})

const noSuchUser = notFound('User not found!')
const oneself = says('This cannot be done to oneself')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchUser: { cause: 'The user does not exist, or the caller may not see them.', client: reload },
  oneself: { cause: 'The action cannot be applied to oneself.', client: 'Do not offer it on the user’s own profile.' },
  noSuchTarget: { cause: 'The reported item is gone, or the caller may not see it.', client: reload },
  noSuchReport: { cause: 'The report does not exist, or this organizer may not see it.', client: reload },
} satisfies Record<string, RefusalPage>

export const searchUsers = route('searchUsers', ['GET api/user/mention/search', 'GET api/user/search'], {
  documented: true,
  names: ['searchUsersByName'],
  summary:
    'Searches people by name and username: friends first, then people from shared events, then the first 200 matching strangers.',
  perMinute: 180,
  input: z.object({ name: text(searchLengthMax), ...Paging }),
  reply: Page(MinimalUserWithFriend),
  refusals: {},
})

export const readUser = route('readUser', 'GET api/user/details/{user_id}', {
  summary: 'Returns a user, as far as the viewer may see them.',
  input: z.object({ user_id: Id }),
  reply: UserDetails,
  refusals: { noSuchUser },
})

const Friendship = shape('Friendship', { friend_status: FriendStatus })

export const befriend = route('befriend', 'PUT api/user/friend/{user_id}', {
  summary: 'Sends a friend request, or accepts one from the other person.',
  input: z.object({ user_id: Id }),
  reply: Friendship,
  refusals: { noSuchUser, oneself },
})

export const unfriend = route('unfriend', 'DELETE api/user/friend/{user_id}', {
  summary: 'Ends a friendship, or withdraws or declines a friend request.',
  input: z.object({ user_id: Id }),
  reply: Friendship,
  refusals: { noSuchUser },
  takes: { back: 'befriend', tells: 'nobody' },
})

export const listFriends = route('listFriends', 'GET api/user/friends', {
  summary: "Lists the viewer's friends by name.",
  input: z.object(Paging),
  reply: Page(MinimalUserWithFriend),
  refusals: {},
})

export const listFriendRequests = route('listFriendRequests', 'GET api/user/friend/requests', {
  summary: 'Lists pending friend requests to the viewer, newest first.',
  input: z.object(Paging),
  reply: Page(MinimalUser),
  refusals: {},
})

const Blocking = shape('Blocking', { blocked: z.boolean() })

export const block = route('block', 'PUT api/user/block/{user_id}', {
  summary: 'Blocks a user. Neither can find, befriend or invite the other.',
  input: z.object({ user_id: Id }),
  reply: Blocking,
  refusals: { noSuchUser, oneself },
  takes: { back: 'unblock', tells: 'nobody' },
})

export const unblock = route('unblock', 'DELETE api/user/block/{user_id}', {
  summary: 'Unblocks a user.',
  input: z.object({ user_id: Id }),
  reply: Blocking,
  refusals: { noSuchUser },
})

export const listBlocked = route('listBlocked', 'GET api/user/blocked', {
  summary: 'Lists the users the viewer has blocked, newest first.',
  input: z.object(Paging),
  reply: Page(MinimalUser),
  refusals: {},
})

export const report = route('report', 'POST api/report', {
  words: true,
  summary: 'Reports a user, event, message, photo or comment that the viewer can see.',
  perMinute: 30,
  idempotent: true,
  input: z.object({
    report_type: z.enum(reportTypes, sentence.selected),
    report_id: Id,
    /** For a user: the event in which it happened, so that its organizers are notified. Both people must be in it. */
    event_id: OptionalId,
    report_reason: saidText(reportLengthMax),
  }),
  reply: Done,
  refusals: { noSuchTarget: notFound('Report target not found!') },
})

export const listReports = route('listReports', 'GET api/report/list', {
  summary:
    'Lists reports in the events that the viewer organizes, newest first, except reports about the viewer. Operators of the instance see every report, including those about whole events, and who made it.',
  input: z.object({
    event_id: OptionalId,
    report_status: maybe(z.enum(reportStatuses, sentence.selected)).describe('Only reports in this state.'),
    ...Paging,
  }),
  reply: Page(Report),
  refusals: {},
})

export const resolveReport = route('resolveReport', 'PUT api/report/resolve/{report_id}', {
  summary: 'Marks a report as resolved. Organizers of its event or operators only. Repeating it has no effect.',
  input: z.object({ report_id: Id }),
  reply: Report,
  refusals: { noSuchReport: notFound('Report not found!') },
})
