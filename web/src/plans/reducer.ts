import { forget, type Rules, reload } from '../app/cache/change.ts'
import { answerKey, answersKey } from './keys.ts'

/** What the channel announces about who comes. */
export const hearPlans: Rules = heard => {
  switch (heard.kind) {
    case 'answer.updated':
      return [reload(answerKey(heard.payload.event_id)), reload(answersKey(heard.payload.event_id))]
    case 'guest.joined':
    case 'guest.updated':
    case 'guest.left':
    case 'guests.counted':
      return [reload(answerKey(heard.payload.event_id)), reload(answersKey(heard.payload.event_id))]
    case 'event.updated':
      return [reload(answerKey(heard.payload.id))]
    case 'event.deleted':
      return [forget(answerKey(heard.payload.event_id)), forget(answersKey(heard.payload.event_id))]
    default:
      return []
  }
}
