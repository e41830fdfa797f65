/* Generated from the contract by `npm run documents`. */
import type * as transfers from '@afterglow/contract/transfers'
import { operation } from '../operation.ts'

export const makeTransfer = operation<typeof transfers.makeTransfer>('POST', 'api/account/transfer')
export const openTransfer = operation<typeof transfers.openTransfer>('POST', 'api/account/transfer/open')
export const takeTransfer = operation<typeof transfers.takeTransfer>('POST', 'api/account/transfer/take')
