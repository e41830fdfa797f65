import { plusOnesMax } from '@afterglow/contract/limits'
import { openLinkCodes } from '../events/links/link-codes.ts'
import type { Needs, Slice } from '../slice.ts'
import { answerInput, answerRoutes } from './answer-routes.ts'
import { answer, askForAnswers, setAlbumFor, setPlaces, setPlusOnesMax } from './answers.ts'
import { deleteAnswersOf, eraseEventPlans, overbooked } from './answers-store.ts'
import { calendarAddressRoutes } from './calendar-address-routes.ts'
import { calendarRoutes } from './calendar-routes.ts'
import { deleteFeed } from './calendar-store.ts'
import { planShowing } from './channel-payloads.ts'
import { plansExport } from './export.ts'
import { planNoticing } from './notification-templates.ts'
import { moveProgramme, presentProgramme, saveProgramme } from './programme-fields.ts'
import { deleteProgrammesOf, plansOf } from './programme-store.ts'
import { showPlans } from './show-opened.ts'

export const plans: Slice = {
  name: 'plans',
  tables: {
    answers: { kept: 'one for a person and an event' },
    answers_away: { since: 'sent_at', lives: '15 days' },
    asked_answers: { kept: 'a few an event' },
    calendar_feeds: { kept: 'one a person' },
    event_moves: { kept: 'a few an event' },
    event_plans: { kept: 'one an event' },
    programme_entries: { kept: 'what people wrote' },
  },
  opens: {
    calendar: ['signing out everywhere', 'another password', 'deletion', 'suspension'],
    // And when any session of theirs ends. Who leaves may still read of an event that they see.
    'calendar of an event': [
      ...(['removal', 'sending away', 'a block', 'the end of its maker’s role'] as const),
      ...(['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
    seat: ['leaving', 'removal', 'sending away', 'deletion'],
  },
  exports: plansExport,
  erasesEvent: eraseEventPlans,
  deletion: {
    async traces(db, userId) {
      await deleteFeed(db, userId)
      await deleteAnswersOf(db, userId)
      await deleteProgrammesOf(db, userId)
    },
  },
  recounts: { 'an event has more seats taken than places': overbooked },
  channel: () => planShowing,
  notifications: planNoticing,
  schedule: [{ task: 'askForAnswers', every: '1 hour', after: '23 minutes' }],
  eventPart: {
    async read(db, events) {
      const plans = await plansOf(
        db,
        events.map(({ id }) => id),
      )
      return events.map(event => {
        const { places = null, plus_max, album_for = 'everybody', entries } = plans.get(event.id) ?? {}
        return {
          event_places: places,
          event_plus_ones_max: plus_max ?? plusOnesMax,
          album_for,
          event_programme: presentProgramme(event, entries ?? []),
        }
      })
    },
    opened: showPlans,
    async save(tx, saved, input) {
      const { event_places: places, event_plus_ones_max: plusMax, event_album_for: album } = input
      if (places !== undefined) await setPlaces(tx, saved.id, places || null)
      if (plusMax !== undefined) await setPlusOnesMax(tx, saved.id, plusMax)
      if (album !== undefined) await setAlbumFor(tx, saved.id, album)
      await saveProgramme(tx, saved, input)
    },
    async copy(tx, { from, to }) {
      const plans = (await plansOf(tx, [from.id])).get(from.id)
      const { places = null, plus_max = null, album_for = 'everybody' } = plans ?? {}
      if (places) await setPlaces(tx, to.id, places)
      if (plus_max !== null) await setPlusOnesMax(tx, to.id, plus_max)
      if (album_for !== 'everybody') await setAlbumFor(tx, to.id, album_for)
    },
    move: moveProgramme,
    async join(tx, eventId, userId, input) {
      if (input.event_answer) await answer(tx, userId, eventId, answerInput(input.event_answer, input))
    },
  },
  open(
    parts: Needs<'background' | 'db' | 'limits' | 'perNetwork' | 'secrets' | 'serve' | 'server' | 'signer' | 'urls'>,
  ) {
    calendarAddressRoutes(parts.serve, openLinkCodes(parts.secrets.media.key))
    calendarRoutes(parts)
    answerRoutes(parts.serve)
    return { tasks: { askForAnswers: askForAnswers(parts.background) } }
  },
}
