import type * as contract from '@afterglow/contract/returns'
import { operation } from './operation.ts'

/**
 * Keeps a key with which a guest account signs in again on this device once its session has ended by itself. The
 * client chooses it: 32 random bytes. Each device has one; it ends when the device signs out or is signed out, when
 * an organizer removes the guest from this event, and when the account is claimed, suspended or erased.
 *
 * `POST api/user/return/key`, at most 30 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notGuest: The account is not a guest account
 */
export const makeReturnKey = operation<typeof contract.makeReturnKey>('POST', 'api/user/return/key')
/**
 * Signs this device in by the key that it kept. The key is replaced by the next one, which the client chooses and
 * stores before it asks: if the reply is lost, both are sent again.
 *
 * `POST api/user/return`, at most 30 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const returnByKey = operation<typeof contract.returnByKey>('POST', 'api/user/return')
