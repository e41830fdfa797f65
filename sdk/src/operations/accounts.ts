/* Generated from the contract by `npm run documents`. */
import type * as accounts from '@afterglow/contract/accounts'
import type * as accountsPasswords from '@afterglow/contract/accounts/passwords'
import type * as accountsSessions from '@afterglow/contract/accounts/sessions'
import { operation } from '../operation.ts'

export const authenticate = operation<typeof accountsSessions.authenticate>('POST', 'api/account/authenticate')
export const claimAccount = operation<typeof accounts.claimAccount>('POST', 'api/account/claim')
export const disconnect = operation<typeof accountsSessions.disconnect>('PUT', 'api/realtime/disconnect')
export const disownLetIns = operation<typeof accountsSessions.disownLetIns>('DELETE', 'api/account/let-in')
export const listDevices = operation<typeof accountsSessions.listDevices>('GET', 'api/account/device/list')
export const logout = operation<typeof accountsSessions.logout>('POST', 'api/account/logout')
export const ping = operation<typeof accountsSessions.ping>('PUT', 'api/realtime/ping')
export const proveAccount = operation<typeof accountsPasswords.proveAccount>('POST', 'api/account/prove')
export const readAccount = operation<typeof accounts.readAccount>('GET', 'api/account')
export const refreshToken = operation<typeof accountsSessions.refreshToken>('POST', 'api/account/token/refresh')
export const register = operation<typeof accounts.register>('POST', 'api/account/register')
export const removeAvatar = operation<typeof accounts.removeAvatar>('DELETE', 'api/account/avatar')
export const removeDevice = operation<typeof accountsSessions.removeDevice>('DELETE', 'api/account/device/{device_id}')
export const stageAvatar = operation<typeof accounts.stageAvatar, { profile_picture: Blob }>('POST', 'api/account/avatar')
export const updateAccount = operation<typeof accounts.updateAccount, { profile_picture?: Blob }>('POST', 'api/account/details/update')
export const updatePassword = operation<typeof accountsPasswords.updatePassword>('POST', 'api/account/password/update')
export const updateSettings = operation<typeof accounts.updateSettings>('POST', 'api/account/settings/update')
