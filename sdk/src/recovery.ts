import type * as contract from '@afterglow/contract/recovery'
import { operation } from './operation.ts'

export const forgotPassword = operation<typeof contract.forgotPassword>('POST', 'api/account/password/forgot')
export const resetPassword = operation<typeof contract.resetPassword>('POST', 'api/account/password/reset')
export const verifyEmail = operation<typeof contract.verifyEmail>('POST', 'api/account/email/verify')
export const resendVerification = operation<typeof contract.resendVerification>('POST', 'api/account/email/resend')
