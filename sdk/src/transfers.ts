import type * as contract from '@afterglow/contract/transfers'
import { operation } from './operation.ts'

/**
 * Creates a link that signs one other device in to the account. It works once within ten minutes, replaces any
 * previous link, and ends with the session that created it. This is how a guest account, which has no password, moves
 * to another device.
 *
 * `POST api/account/transfer`, at most 10 times a minute.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 * @throws letInLately: An organizer let this device in less than a day ago. Use a device that was signed in before,
 * or wait until tomorrow.
 */
export const makeTransfer = operation<typeof contract.makeTransfer>('POST', 'api/account/transfer')
/**
 * Returns whose account a transfer code signs in to. Call it before using the code.
 *
 * `POST api/account/transfer/open`, at most 30 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const openTransfer = operation<typeof contract.openTransfer>('POST', 'api/account/transfer/open')
/**
 * Signs this device in with a code: of a transfer link, of a guest who keeps one, or by which an organizer lets a
 * guest in again, except where that organizer is signed in. The same device may repeat it if the reply is lost. With
 * the bearer token of another guest account, that one is signed out, and goes if nothing was left by it.
 *
 * `POST api/account/transfer/take`, at most 30 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const takeTransfer = operation<typeof contract.takeTransfer>('POST', 'api/account/transfer/take')
