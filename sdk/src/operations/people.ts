/* Generated from the contract by `npm run documents`. */
import type * as people from '@afterglow/contract/people'
import { operation } from '../operation.ts'

export const befriend = operation<typeof people.befriend>('PUT', 'api/user/friend/{user_id}')
export const block = operation<typeof people.block>('PUT', 'api/user/block/{user_id}')
export const listBlocked = operation<typeof people.listBlocked>('GET', 'api/user/blocked')
export const listFriendRequests = operation<typeof people.listFriendRequests>('GET', 'api/user/friend/requests')
export const listFriends = operation<typeof people.listFriends>('GET', 'api/user/friends')
export const listReports = operation<typeof people.listReports>('GET', 'api/report/list')
export const readUser = operation<typeof people.readUser>('GET', 'api/user/details/{user_id}')
export const report = operation<typeof people.report>('POST', 'api/report')
export const resolveReport = operation<typeof people.resolveReport>('PUT', 'api/report/resolve/{report_id}')
export const searchUsers = operation<typeof people.searchUsers>('GET', 'api/user/mention/search')
export const unblock = operation<typeof people.unblock>('DELETE', 'api/user/block/{user_id}')
export const unfriend = operation<typeof people.unfriend>('DELETE', 'api/user/friend/{user_id}')
