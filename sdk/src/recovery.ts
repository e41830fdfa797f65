import type * as contract from '@afterglow/contract/recovery'
import { operation } from './operation.ts'

/**
 * Sends a password reset code if the address belongs to an account. The reply is the same if it does not.
 *
 * `POST api/account/password/forgot`, at most 10 times a minute.
 */
export const forgotPassword = operation<typeof contract.forgotPassword>('POST', 'api/account/password/forgot')
/**
 * Sets a new password with the code from the e-mail, which works once. Ends every session.
 *
 * `POST api/account/password/reset`, at most 10 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const resetPassword = operation<typeof contract.resetPassword>('POST', 'api/account/password/reset')
/**
 * Undoes a change of the e-mail address with the code that the previous address received. Ends every session.
 *
 * `POST api/account/email/undo`, at most 10 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const undoEmail = operation<typeof contract.undoEmail>('POST', 'api/account/email/undo')
/**
 * Verifies the viewer’s e-mail address with the code from the e-mail: user_status becomes 1.
 *
 * `POST api/account/email/verify`, at most 10 times a minute.
 * @throws badCode: The code is invalid or has expired.
 */
export const verifyEmail = operation<typeof contract.verifyEmail>('POST', 'api/account/email/verify')
/**
 * Sends a new verification code by e-mail and invalidates the previous one.
 *
 * `POST api/account/email/resend`, at most 10 times a minute.
 * @throws nothingToVerify: There is no e-mail address to verify.
 * @throws tooManyMails: Too many mails were sent to this address. Please try again later.
 */
export const resendVerification = operation<typeof contract.resendVerification>('POST', 'api/account/email/resend')
