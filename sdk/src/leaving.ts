import type * as contract from '@afterglow/contract/leaving'
import { operation } from './operation.ts'

export const deleteAccount = operation<typeof contract.deleteAccount>('DELETE', 'api/account')
