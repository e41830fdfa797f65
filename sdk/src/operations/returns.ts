/* Generated from the contract by `npm run documents`. */
import type * as returns from '@afterglow/contract/returns'
import { operation } from '../operation.ts'

export const approveReturn = operation<typeof returns.approveReturn>('PUT', 'api/event/returns/approve/{return_id}/{user_id}')
export const askToReturn = operation<typeof returns.askToReturn>('POST', 'api/event/link/return/{code}')
export const claimPerson = operation<typeof returns.claimPerson>('PUT', 'api/event/person/{event_id}/{user_id}')
export const findNamesake = operation<typeof returns.findNamesake>('POST', 'api/event/link/namesake/{code}')
export const keepOwnCode = operation<typeof returns.keepOwnCode>('POST', 'api/account/code')
export const letInAgain = operation<typeof returns.letInAgain>('POST', 'api/event/guest/code')
export const listReturns = operation<typeof returns.listReturns>('GET', 'api/event/returns/{event_id}')
export const makeReturnKey = operation<typeof returns.makeReturnKey>('POST', 'api/user/return/key')
export const readReturn = operation<typeof returns.readReturn>('POST', 'api/event/link/return')
export const rejectReturn = operation<typeof returns.rejectReturn>('PUT', 'api/event/returns/reject/{return_id}')
export const returnByKey = operation<typeof returns.returnByKey>('POST', 'api/user/return')
