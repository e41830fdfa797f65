/* Generated from the contract by `npm run documents`. */
import type * as providers from '@afterglow/contract/providers'
import { operation } from '../operation.ts'

export const beginProviderSignIn = operation<typeof providers.beginProviderSignIn>('POST', 'api/account/provider/begin')
export const finishProviderSignIn = operation<typeof providers.finishProviderSignIn>('POST', 'api/account/provider/finish')
export const linkLoginOption = operation<typeof providers.linkLoginOption>('POST', 'api/account/login/option')
export const listProviders = operation<typeof providers.listProviders>('GET', 'api/account/provider/list')
export const unlinkLoginOption = operation<typeof providers.unlinkLoginOption>('DELETE', 'api/account/login/option')
