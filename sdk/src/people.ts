import type * as contract from '@afterglow/contract/people'
import { operation } from './operation.ts'

/**
 * Searches people by name and username: friends first, then people from shared events, then the first 200 matching
 * strangers.
 *
 * `GET api/user/mention/search`, at most 180 times a minute.
 */
export const searchUsers = operation<typeof contract.searchUsers>('GET', 'api/user/mention/search')
/**
 * Returns a user, as far as the viewer may see them.
 *
 * `GET api/user/details/{user_id}`, at most 120 times a minute.
 * @throws noSuchUser: User not found!
 */
export const readUser = operation<typeof contract.readUser>('GET', 'api/user/details/{user_id}')
/**
 * Sends a friend request, or accepts one from the other person.
 *
 * `PUT api/user/friend/{user_id}`, at most 120 times a minute.
 * @throws noSuchUser: User not found!
 * @throws oneself: This cannot be done to oneself
 */
export const befriend = operation<typeof contract.befriend>('PUT', 'api/user/friend/{user_id}')
/**
 * Ends a friendship, or withdraws or declines a friend request.
 *
 * `DELETE api/user/friend/{user_id}`, at most 120 times a minute.
 * @throws noSuchUser: User not found!
 */
export const unfriend = operation<typeof contract.unfriend>('DELETE', 'api/user/friend/{user_id}')
/**
 * Lists the viewer's friends by name.
 *
 * `GET api/user/friends`, at most 120 times a minute.
 */
export const listFriends = operation<typeof contract.listFriends>('GET', 'api/user/friends')
/**
 * Lists pending friend requests to the viewer, newest first.
 *
 * `GET api/user/friend/requests`, at most 120 times a minute.
 */
export const listFriendRequests = operation<typeof contract.listFriendRequests>('GET', 'api/user/friend/requests')
/**
 * Blocks a user. Neither can find, befriend or invite the other.
 *
 * `PUT api/user/block/{user_id}`, at most 120 times a minute.
 * @throws noSuchUser: User not found!
 * @throws oneself: This cannot be done to oneself
 */
export const block = operation<typeof contract.block>('PUT', 'api/user/block/{user_id}')
/**
 * Unblocks a user.
 *
 * `DELETE api/user/block/{user_id}`, at most 120 times a minute.
 * @throws noSuchUser: User not found!
 */
export const unblock = operation<typeof contract.unblock>('DELETE', 'api/user/block/{user_id}')
/**
 * Lists the users the viewer has blocked, newest first.
 *
 * `GET api/user/blocked`, at most 120 times a minute.
 */
export const listBlocked = operation<typeof contract.listBlocked>('GET', 'api/user/blocked')
/**
 * Reports a user, event, message, photo or comment that the viewer can see.
 *
 * `POST api/report`, at most 30 times a minute. Takes an `idempotencyKey`.
 * @throws noSuchTarget: Report target not found!
 */
export const report = operation<typeof contract.report>('POST', 'api/report')
/**
 * Lists reports in the events that the viewer organizes, newest first, except reports about the viewer. Operators of
 * the instance see every report, including those about whole events, and who made it.
 *
 * `GET api/report/list`, at most 120 times a minute.
 */
export const listReports = operation<typeof contract.listReports>('GET', 'api/report/list')
/**
 * Marks a report as resolved. Organizers of its event or operators only. Repeating it has no effect.
 *
 * `PUT api/report/resolve/{report_id}`, at most 120 times a minute.
 * @throws noSuchReport: Report not found!
 */
export const resolveReport = operation<typeof contract.resolveReport>('PUT', 'api/report/resolve/{report_id}')
