import type * as contract from '@afterglow/contract/accounts'
import type * as passwords from '@afterglow/contract/accounts/passwords'
import type * as sessions from '@afterglow/contract/accounts/sessions'
import { operation } from './operation.ts'

/**
 * Creates an account and signs this device in.
 *
 * `POST api/account/register`, at most 10 times a minute. Takes an `idempotencyKey`.
 * @throws providerAway: The sign-in provider cannot be reached. Please try again later.
 * @throws registrationClosed: This service takes no new accounts.
 * @throws invitationNeeded: This service takes new accounts only from guests of an event.
 */
export const register = operation<typeof contract.register>('POST', 'api/account/register')
/**
 * Signs this device in and ends any earlier session of the same device.
 *
 * `POST api/account/authenticate`, at most 10 times a minute.
 * @throws wrongDetails: Incorrect Details. Please try again.
 * @throws providerAway: The sign-in provider cannot be reached. Please try again later.
 */
export const authenticate = operation<typeof sessions.authenticate>('POST', 'api/account/authenticate')
/**
 * Returns the viewer's own account.
 *
 * `GET api/account`, at most 120 times a minute.
 */
export const readAccount = operation<typeof contract.readAccount>('GET', 'api/account')
/**
 * Updates names, username, e-mail address and visibility, and applies the uploaded picture if requested. A new e-mail
 * address is told to the previous one, which can undo the change for 14 days. Unless the session signed in or
 * confirmed its password within the last ten minutes, the new address cannot reset the password for 14 days.
 *
 * `POST api/account/details/update`, at most 120 times a minute.
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const updateAccount = operation<typeof contract.updateAccount, { profile_picture?: Blob }>(
  'POST',
  'api/account/details/update',
)
/**
 * Ends this session, or every session of the account, and with them its calendar address unless it is kept.
 *
 * `POST api/account/logout`, at most 120 times a minute.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const logout = operation<typeof sessions.logout>('POST', 'api/account/logout')
/**
 * Issues a new token for this device. The old one remains valid for another 60 seconds.
 *
 * `POST api/account/token/refresh`, at most 10 times a minute.
 */
export const refreshToken = operation<typeof sessions.refreshToken>('POST', 'api/account/token/refresh')
/**
 * Uploads a picture. The next account update with profile_picture_updated makes it the avatar.
 *
 * `POST api/account/avatar`, at most 120 times a minute.
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const stageAvatar = operation<typeof contract.stageAvatar, { profile_picture: Blob }>(
  'POST',
  'api/account/avatar',
)
/**
 * Removes the picture and restores the generated one.
 *
 * `DELETE api/account/avatar`, at most 120 times a minute.
 */
export const removeAvatar = operation<typeof contract.removeAvatar>('DELETE', 'api/account/avatar')
/**
 * Updates the account settings.
 *
 * `POST api/account/settings/update`, at most 120 times a minute.
 */
export const updateSettings = operation<typeof contract.updateSettings>('POST', 'api/account/settings/update')
/**
 * Changes the password, and ends every other session and, unless it is kept, the calendar address.
 *
 * `POST api/account/password/update`, at most 10 times a minute.
 * @throws wrongPassword: The current password is incorrect.
 */
export const updatePassword = operation<typeof passwords.updatePassword>('POST', 'api/account/password/update')
/**
 * Confirms the password for this session. For the next ten minutes, as after a sign-in, the session may perform
 * sensitive actions: export the account, add a way to sign in, sign out another device. Users without a password sign
 * in again on this device instead. Guest accounts need neither.
 *
 * `POST api/account/prove`, at most 10 times a minute.
 * @throws wrongPassword: The current password is incorrect.
 */
export const proveAccount = operation<typeof passwords.proveAccount>('POST', 'api/account/prove')
/**
 * Turns a guest account into a full account by giving it a way to sign in: an e-mail address and a password, or a
 * provider, identified by its ID token in user_password as in register, or by the code from a browser sign-in. The
 * account keeps its content and its sessions.
 *
 * `POST api/account/claim`, at most 10 times a minute.
 * @throws notGuest: The account is not a guest account
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 * @throws providerAway: The sign-in provider cannot be reached. Please try again later.
 * @throws badProviderCode: The sign-in has expired or was finished before. Please start again.
 * @throws registrationClosed: This service takes no new accounts.
 */
export const claimAccount = operation<typeof contract.claimAccount>('POST', 'api/account/claim')
/**
 * Lists the signed-in devices, most recently used first.
 *
 * `GET api/account/device/list`, at most 120 times a minute.
 */
export const listDevices = operation<typeof sessions.listDevices>('GET', 'api/account/device/list')
/**
 * Signs a device out. Signing out another device requires recent re-authentication.
 *
 * `DELETE api/account/device/{device_id}`, at most 120 times a minute.
 * @throws noSuchDevice: Device not found!
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const removeDevice = operation<typeof sessions.removeDevice>('DELETE', 'api/account/device/{device_id}')
/**
 * Says that it was somebody else whom organizers let in as this guest: those sessions end, and so does the code that
 * the guest keeps.
 *
 * `DELETE api/account/let-in`, at most 10 times a minute.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const disownLetIns = operation<typeof sessions.disownLetIns>('DELETE', 'api/account/let-in')
/**
 * Marks the app as active on this device, so that notifications are sent over the realtime channel.
 *
 * `PUT api/realtime/ping`, at most 10 times a minute.
 */
export const ping = operation<typeof sessions.ping>('PUT', 'api/realtime/ping')
/**
 * Marks the app as inactive on this device, so that notifications are sent as pushes.
 *
 * `PUT api/realtime/disconnect`, at most 10 times a minute.
 */
export const disconnect = operation<typeof sessions.disconnect>('PUT', 'api/realtime/disconnect')
