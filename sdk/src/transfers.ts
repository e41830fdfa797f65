import type * as contract from '@afterglow/contract/transfers'
import { operation } from './operation.ts'

export const makeTransfer = operation<typeof contract.makeTransfer>('POST', 'api/account/transfer')
export const openTransfer = operation<typeof contract.openTransfer>('POST', 'api/account/transfer/open')
export const takeTransfer = operation<typeof contract.takeTransfer>('POST', 'api/account/transfer/take')
