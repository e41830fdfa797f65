/* Generated from the contract by `npm run documents`. */
import type * as plans from '@afterglow/contract/plans'
import { operation } from '../operation.ts'

export const addPerson = operation<typeof plans.addPerson>('POST', 'api/event/person')
export const answerEvent = operation<typeof plans.answerEvent>('POST', 'api/event/answer')
export const endCalendarFeed = operation<typeof plans.endCalendarFeed>('DELETE', 'api/calendar/feed')
export const exportAnswers = operation<typeof plans.exportAnswers>('GET', 'api/event/answers/csv/{event_id}')
export const linkCalendar = operation<typeof plans.linkCalendar>('GET', 'api/event/calendar/{event_id}')
export const listAnswers = operation<typeof plans.listAnswers>('GET', 'api/event/answers/{event_id}')
export const makeCalendarFeed = operation<typeof plans.makeCalendarFeed>('POST', 'api/calendar/feed')
export const moveUp = operation<typeof plans.moveUp>('PUT', 'api/event/answer/front/{event_id}/{user_id}')
export const readAnswer = operation<typeof plans.readAnswer>('GET', 'api/event/answer/{event_id}')
export const readCalendarFeed = operation<typeof plans.readCalendarFeed>('GET', 'api/calendar/feed')
export const remindGuests = operation<typeof plans.remindGuests>('PUT', 'api/event/answers/remind/{event_id}')
