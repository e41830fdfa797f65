import { MinimalUser } from './shapes.ts'
import { answers, listed, missing, part, same } from './statement.ts'

const page = { page: 1, page_length: 10 }
const unknown = 999_999_999

export const requestStatements = part('requests', {
  list: [
    'who asked to join an event is a list of minimal users',
    async world => {
      const { event_id, organizer } = await world.pending()
      const reply = await organizer.call('GET', `api/event/join/requests/${event_id}`, { query: page })
      same(
        reply,
        listed(reply, MinimalUser).data.map(({ id }) => id),
        [(await world.person('stranger')).id],
        'who asks',
      )
    },
  ],
  missing: [
    'an unknown event is 404 in plain text, with an exclamation mark',
    async world => {
      const { call } = await world.person('organizer')
      missing(await call('GET', `api/event/join/requests/${unknown}`, { query: page }), 'Event not found!')
    },
  ],
  outside: [
    'others than organizers are refused by 400',
    async world => {
      const { event_id } = await world.party()
      const { call } = await world.person('outsider')
      answers(await call('GET', `api/event/join/requests/${event_id}`, { query: page }), 400)
    },
  ],
})
