import type * as contract from '@afterglow/contract/links'
import { operation } from './operation.ts'

export const makeLink = operation<typeof contract.makeLink>('POST', 'api/event/link')
export const listLinks = operation<typeof contract.listLinks>('GET', 'api/event/link/list/{event_id}')
export const revokeLink = operation<typeof contract.revokeLink>('DELETE', 'api/event/link/{link_id}')
export const openLink = operation<typeof contract.openLink>('GET', 'api/event/link/open/{code}')
export const joinByLink = operation<typeof contract.joinByLink>('POST', 'api/event/link/join/{code}')
