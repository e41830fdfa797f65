import type * as contract from '@afterglow/contract/providers'
import { operation } from './operation.ts'

export const listProviders = operation<typeof contract.listProviders>('GET', 'api/account/provider/list')
export const beginProviderSignIn = operation<typeof contract.beginProviderSignIn>('POST', 'api/account/provider/begin')
export const finishProviderSignIn = operation<typeof contract.finishProviderSignIn>(
  'POST',
  'api/account/provider/finish',
)
export const linkLoginOption = operation<typeof contract.linkLoginOption>('POST', 'api/account/login/option')
export const unlinkLoginOption = operation<typeof contract.unlinkLoginOption>('DELETE', 'api/account/login/option')
