import type * as contract from '@afterglow/contract/people'
import { operation } from './operation.ts'

export const searchUsers = operation<typeof contract.searchUsers>('GET', 'api/user/mention/search')
export const readUser = operation<typeof contract.readUser>('GET', 'api/user/details/{user_id}')
export const befriend = operation<typeof contract.befriend>('PUT', 'api/user/friend/{user_id}')
export const unfriend = operation<typeof contract.unfriend>('DELETE', 'api/user/friend/{user_id}')
export const listFriends = operation<typeof contract.listFriends>('GET', 'api/user/friends')
export const listFriendRequests = operation<typeof contract.listFriendRequests>('GET', 'api/user/friend/requests')
export const block = operation<typeof contract.block>('PUT', 'api/user/block/{user_id}')
export const unblock = operation<typeof contract.unblock>('DELETE', 'api/user/block/{user_id}')
export const listBlocked = operation<typeof contract.listBlocked>('GET', 'api/user/blocked')
export const report = operation<typeof contract.report>('POST', 'api/report')
export const listReports = operation<typeof contract.listReports>('GET', 'api/report/list')
export const resolveReport = operation<typeof contract.resolveReport>('PUT', 'api/report/resolve/{report_id}')
