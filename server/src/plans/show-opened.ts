import { guestsNamedMax, programmeOpenedMax } from '@afterglow/contract/limits'
import { avatarUrl } from '../accounts/present-person.ts'
import type { EventRow } from '../events/event-parts.ts'
import type { Db } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { countAnswers, listGoing } from './answers-store.ts'
import { presentProgramme } from './programme-fields.ts'
import { plansOf } from './programme-store.ts'

/** An event's plans as strangers see them: the start of the programme, and who comes. */
export const showPlans = async (db: Db, event: EventRow, { urls, named }: { urls: Urls; named: boolean }) => {
  const [plans, { taken, places }, going] = await Promise.all([
    plansOf(db, [event.id]),
    countAnswers(db, event.id),
    named ? listGoing(db, event.id, guestsNamedMax) : [],
  ])
  return {
    event_programme: presentProgramme(event, plans.get(event.id)?.entries ?? []).slice(0, programmeOpenedMax),
    going: going.map(person => ({
      user_first_name: person.first_name,
      user_avatar_url: avatarUrl({ ...person, last_name: '' }, urls, 'preview'),
    })),
    going_count: taken,
    event_places_left: places === null ? null : Math.max(0, places - taken),
  }
}
