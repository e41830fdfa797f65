/* Generated from the contract by `npm run documents`. */
import type * as links from '@afterglow/contract/links'
import type * as linksOpenedLinks from '@afterglow/contract/links/opened-links'
import type * as linksScreens from '@afterglow/contract/links/screens'
import type * as linksSentAway from '@afterglow/contract/links/sent-away'
import { operation } from '../operation.ts'

export const endScreen = operation<typeof linksScreens.endScreen>('DELETE', 'api/event/screen/{screen_id}')
export const joinByLink = operation<typeof linksOpenedLinks.joinByLink>('POST', 'api/event/link/join/{code}')
export const listLinks = operation<typeof links.listLinks>('GET', 'api/event/link/list/{event_id}')
export const listScreens = operation<typeof linksScreens.listScreens>('GET', 'api/event/screen/list/{event_id}')
export const listSentAway = operation<typeof linksSentAway.listSentAway>('GET', 'api/event/link/away/list/{event_id}')
export const makeLink = operation<typeof links.makeLink>('POST', 'api/event/link')
export const openEvent = operation<typeof linksOpenedLinks.openEvent>('GET', 'api/event/open/{event_id}')
export const openLink = operation<typeof linksOpenedLinks.openLink>('GET', 'api/event/link/open/{code}')
export const reopenLink = operation<typeof links.reopenLink>('PUT', 'api/event/link/reopen/{link_id}')
export const revokeLink = operation<typeof links.revokeLink>('DELETE', 'api/event/link/{link_id}')
export const revokeLinks = operation<typeof links.revokeLinks>('DELETE', 'api/event/links/{event_id}')
export const sendAwayByLink = operation<typeof linksSentAway.sendAwayByLink>('POST', 'api/event/link/away/{link_id}')
export const undoSentAway = operation<typeof linksSentAway.undoSentAway>('DELETE', 'api/event/link/away/undo/{away_id}')
export const viewByLink = operation<typeof linksOpenedLinks.viewByLink>('POST', 'api/event/link/view/{code}')
