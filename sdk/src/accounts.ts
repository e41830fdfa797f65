import type * as contract from '@afterglow/contract/accounts'
import { operation } from './operation.ts'

export const register = operation<typeof contract.register>('POST', 'api/account/register')
export const authenticate = operation<typeof contract.authenticate>('POST', 'api/account/authenticate')
export const readAccount = operation<typeof contract.readAccount>('GET', 'api/account')
export const updateAccount = operation<typeof contract.updateAccount, { profile_picture?: Blob }>(
  'POST',
  'api/account/details/update',
)
export const logout = operation<typeof contract.logout>('POST', 'api/account/logout')
export const refreshToken = operation<typeof contract.refreshToken>('POST', 'api/account/token/refresh')
export const stageAvatar = operation<typeof contract.stageAvatar, { profile_picture: Blob }>(
  'POST',
  'api/account/avatar',
)
export const removeAvatar = operation<typeof contract.removeAvatar>('DELETE', 'api/account/avatar')
export const updateSettings = operation<typeof contract.updateSettings>('POST', 'api/account/settings/update')
export const updatePassword = operation<typeof contract.updatePassword>('POST', 'api/account/password/update')
export const proveAccount = operation<typeof contract.proveAccount>('POST', 'api/account/prove')
export const claimAccount = operation<typeof contract.claimAccount>('POST', 'api/account/claim')
export const listDevices = operation<typeof contract.listDevices>('GET', 'api/account/device/list')
export const removeDevice = operation<typeof contract.removeDevice>('DELETE', 'api/account/device/{device_id}')
export const ping = operation<typeof contract.ping>('PUT', 'api/realtime/ping')
export const disconnect = operation<typeof contract.disconnect>('PUT', 'api/realtime/disconnect')
