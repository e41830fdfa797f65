import type * as contract from '@afterglow/contract/privacy'
import { operation } from './operation.ts'

/**
 * Starts an export of all of the viewer’s own content as a zip file: text as JSON, media as uploaded. A notification
 * arrives when it is ready. Repeating the request within an hour returns the same export; after that, a new one
 * replaces it. The export counts towards the viewer’s storage.
 *
 * `POST api/account/export`, at most 10 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 * @throws personFull: You have used all the space that you have for files.
 * @throws instanceFull: This server has no more space for files.
 */
export const exportAccount = operation<typeof contract.exportAccount>('POST', 'api/account/export')
/**
 * Lists the viewer’s current export and any export in progress to replace it, newest first.
 *
 * `GET api/account/export/list`, at most 120 times a minute.
 */
export const listExports = operation<typeof contract.listExports>('GET', 'api/account/export/list')
/**
 * Returns the state of an export and where to download it.
 *
 * `GET api/account/export/{account_export_id}`, at most 120 times a minute.
 * @throws noSuchExport: Export not found!
 */
export const readExport = operation<typeof contract.readExport>('GET', 'api/account/export/{account_export_id}')
/**
 * Ends every session and erases the account after 14 days, unless its owner signs in before. Messages, comments and
 * photos remain under “Deleted user” unless erase_content is true. Accounts without a password must have signed in
 * within the last ten minutes.
 *
 * `DELETE api/account`, at most 10 times a minute.
 * @throws wrongPassword: The current password is incorrect.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const deleteAccount = operation<typeof contract.deleteAccount>('DELETE', 'api/account')
/**
 * Returns whether the viewer shares what they have read.
 *
 * `GET api/account/seen`, at most 120 times a minute.
 */
export const readSeenSettings = operation<typeof contract.readSeenSettings>('GET', 'api/account/seen')
/**
 * Sets whether others can see what the viewer has read. Anyone who switches this off cannot see what others have read
 * either. Unread counts are not affected.
 *
 * `POST api/account/seen`, at most 120 times a minute.
 */
export const saveSeenSettings = operation<typeof contract.saveSeenSettings>('POST', 'api/account/seen')
