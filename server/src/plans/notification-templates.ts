import { reasons } from '@afterglow/contract/reasons'
import type { ChangeRow } from '../log/announce.ts'
import { nameToRing } from '../notifications/excerpt.ts'
import type { Notice, NoticeTemplates } from '../notifications/notices.ts'
import { readPendingAnswers, readSeat } from './answers-store.ts'

/** The service's own act: blocks between people do not matter. */
const about = (change: ChangeRow, name: string) => ({
  values: { event: nameToRing(name) },
  link: `/events/${change.event_id}`,
  eventId: change.event_id,
  subjectId: change.event_id,
  actorId: null,
  reason: reasons.inEvent,
})

export const planNoticing: NoticeTemplates = {
  'answer.wanted': async (tx, changes) => {
    const notices = new Map<number, readonly Notice[]>()
    for (const change of changes) {
      const event = await readPendingAnswers(tx, change.event_id as number, change.detail?.everyone === true)
      const kind = { kind: 'answer_wanted', tag: `answer:${change.event_id}` } as const
      notices.set(change.id, event ? [{ ...about(change, event.name), ...kind, to: event.asked }] : [])
    }
    return notices
  },

  'place.given': async (tx, changes) => {
    const notices = new Map<number, readonly Notice[]>()
    for (const change of changes) {
      const event = await readSeat(tx, change.event_id as number, change.user_id as number)
      const kind = { kind: 'place_given', tag: `place:${change.event_id}` } as const
      notices.set(change.id, event ? [{ ...about(change, event.name), ...kind, to: [change.user_id as number] }] : [])
    }
    return notices
  },
}
