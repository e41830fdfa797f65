/* Generated from the contract by `npm run documents`. */
import type * as recovery from '@afterglow/contract/recovery'
import { operation } from '../operation.ts'

export const forgotPassword = operation<typeof recovery.forgotPassword>('POST', 'api/account/password/forgot')
export const resendVerification = operation<typeof recovery.resendVerification>('POST', 'api/account/email/resend')
export const resetPassword = operation<typeof recovery.resetPassword>('POST', 'api/account/password/reset')
export const undoEmail = operation<typeof recovery.undoEmail>('POST', 'api/account/email/undo')
export const verifyEmail = operation<typeof recovery.verifyEmail>('POST', 'api/account/email/verify')
