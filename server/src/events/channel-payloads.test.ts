import type { ChannelEvents } from '@afterglow/contract/realtime'
import { expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { type Listener, listen, type ReceivedEvent } from '../../test/channel.ts'
import { bringIn, evening } from '../../test/party.ts'

/* A screen from before an act, plus the channel's events of the act, equals a fresh load. */

const app: TestApp = await openTestApp()

const paged = { page: 1, page_length: 100 }
type Guest = ChannelEvents['guest.joined']['guest']
type Screen = {
  event: ChannelEvents['event.updated'] | undefined
  guests: Guest[]
  asking: ChannelEvents['join.requested']['user'][]
}

/** How much waits for organizers is asked for anew whenever it may have changed. */
const unwaiting = (event: ChannelEvents['event.updated']) => ({
  ...event,
  extra: { ...event.extra, waiting: [] } as never,
})

const load = async ({ extra }: Member, event_id: number): Promise<Screen> => {
  const event = await extra.events.readEvent({ event_id }).catch(() => undefined)
  const inside = event?.event_role === 'organizer' || event?.event_role === 'guest'
  const guests = inside ? (await extra.events.listGuests({ event_id, ...paged })).data : []
  const asking =
    event?.event_role === 'organizer' ? (await extra.events.listJoinRequests({ event_id, ...paged })).data : []
  return { event: inside ? unwaiting(event) : undefined, guests, asking }
}

/** Organizers first, then in the order they joined. */
const inOrder = (guests: readonly Guest[]) =>
  [...guests].sort(
    (a, b) =>
      b.event_role.localeCompare(a.event_role) || a.joined_at.localeCompare(b.joined_at) || a.user.id - b.user.id,
  )

const counted = (screen: Screen, event_guests_count: number) => screen.event && { ...screen.event, event_guests_count }
const put = (guests: readonly Guest[], guest: Guest) =>
  inOrder([...guests.filter(({ user }) => user.id !== guest.user.id), guest])

const after = (screen: Screen, heard: ReceivedEvent, me: number): Screen => {
  switch (heard.kind) {
    case 'event.updated':
    case 'event.cancelled':
      return { ...screen, event: unwaiting(heard.payload) }
    case 'event.deleted':
      return { event: undefined, guests: [], asking: [] }
    case 'guest.joined':
      return {
        ...screen,
        event: counted(screen, heard.payload.event_guests_count),
        guests: put(screen.guests, heard.payload.guest),
      }
    case 'guest.updated':
      return { ...screen, guests: put(screen.guests, heard.payload.guest) }
    case 'guest.left':
      if (heard.payload.user_id === me) return { event: undefined, guests: [], asking: [] }
      return {
        ...screen,
        event: counted(screen, heard.payload.event_guests_count),
        guests: screen.guests.filter(({ user }) => user.id !== heard.payload.user_id),
      }
    case 'join.requested':
      return { ...screen, asking: [...screen.asking, heard.payload.user] }
    case 'join.approved':
    case 'join.rejected':
    case 'join.withdrawn':
      return { ...screen, asking: screen.asking.filter(({ id }) => id !== heard.payload.user.id) }
    default:
      return screen
  }
}

type Cast = { olivia: Member; gus: Member; asha: Member; event_id: number }
const acts: Record<string, { act: (cast: Cast) => Promise<unknown>; last: ReceivedEvent['kind']; for?: 'asha' }> = {
  'changing an event': {
    act: ({ olivia, event_id }) =>
      olivia.api.events.saveEvent({
        ...evening(),
        event_id,
        event_name: 'Other',
        event_location: 'Elsewhere',
        event_visibility: 3,
      }),
    last: 'event.updated',
  },
  'calling it off': {
    act: ({ olivia, event_id }) => olivia.api.events.cancelEvent({ event_id }),
    last: 'event.cancelled',
  },
  'deleting it': { act: ({ olivia, event_id }) => olivia.api.events.deleteEvent({ event_id }), last: 'event.deleted' },
  'asking to join': {
    act: async ({ olivia, event_id }) => {
      const sam = await enter(app, 'sam')
      await sam.api.events.askToJoin({ event_id })
      await olivia.api.events.saveEvent({ ...evening(), event_id, event_name: 'Asked' })
    },
    last: 'event.updated',
  },
  'letting somebody in': {
    act: ({ olivia, asha, event_id }) => olivia.api.events.approveJoinRequest({ event_id, user_id: asha.id }),
    last: 'guest.joined',
  },
  'turning somebody down': {
    act: async ({ olivia, asha, event_id }) => {
      await olivia.api.events.rejectJoinRequest({ event_id, user_id: asha.id })
      await olivia.api.events.cancelEvent({ event_id })
    },
    last: 'event.cancelled',
  },
  'taking a request back': {
    act: async ({ olivia, asha, event_id }) => {
      await asha.api.events.withdrawJoinRequest({ event_id })
      await olivia.api.events.cancelEvent({ event_id })
    },
    last: 'event.cancelled',
  },
  'taking somebody out': {
    act: async ({ olivia, event_id }) => {
      const remy = await enter(app, 'remy')
      await bringIn(olivia, event_id, remy)
      await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
    },
    last: 'guest.left',
  },
  'being taken out': {
    act: ({ olivia, gus, event_id }) => olivia.api.events.removeGuest({ event_id, user_id: gus.id }),
    last: 'guest.left',
  },
  leaving: { act: ({ gus, event_id }) => gus.api.events.leaveEvent({ event_id }), last: 'guest.left' },
  'making somebody an organizer': {
    act: ({ olivia, gus, event_id }) => olivia.api.events.makeOrganizer({ event_id, user_id: gus.id }),
    last: 'event.updated',
  },
  'offering the event': {
    act: ({ olivia, gus, event_id }) => olivia.api.events.handOver({ event_id, user_id: gus.id }),
    last: 'event.updated',
  },
  'handing the event over': {
    act: async ({ olivia, gus, event_id }) => {
      await olivia.api.events.handOver({ event_id, user_id: gus.id })
      await gus.api.events.handOver({ event_id, user_id: gus.id })
    },
    last: 'event.updated',
  },
  'stepping down': {
    act: async ({ olivia, gus, event_id }) => {
      await olivia.api.events.handOver({ event_id, user_id: gus.id })
      await gus.api.events.handOver({ event_id, user_id: gus.id })
      await olivia.api.events.unmakeOrganizer({ event_id, user_id: olivia.id })
      await gus.api.events.saveEvent({ ...evening(), event_id, event_name: 'By Gus' })
    },
    last: 'event.updated',
  },
  'inviting who had asked': {
    act: ({ olivia, asha, event_id }) => olivia.api.events.invite({ event_id, user_ids: [asha.id] }),
    last: 'guest.joined',
  },
}

const settled = async (listener: Listener, kind: ReceivedEvent['kind']) => {
  await listener.next(kind)
  // The last of several events of a kind: no other follows within two polls of the log.
  for (let before = -1; before !== listener.heard.length; ) {
    before = listener.heard.length
    await new Promise(resolve => setTimeout(resolve, 60))
  }
}

test.each(Object.entries(acts))(
  '%s: what stood there and its events are what a fresh load shows',
  async (_, { act, last }) => {
    const [olivia, gus, asha] = (await Promise.all(
      (['olivia', 'gus', 'asha'] as const).map(name => enter(app, name)),
    )) as [Member, Member, Member]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    await asha.api.events.askToJoin({ event_id })

    const listeners = await Promise.all([olivia, gus].map(member => listen(app, member)))
    const before = await Promise.all([olivia, gus].map(member => load(member, event_id)))
    await act({ olivia, gus, asha, event_id })
    for (const [at, member] of [olivia, gus].entries()) {
      const listener = listeners[at] as Listener
      await settled(listener, last)
      const now = listener.heard.reduce((screen, heard) => after(screen, heard, member.id), before[at] as Screen)
      const fresh = await load(member, event_id)
      // Only organizers see the list of join requests: new organizers load it, and former ones discard it.
      const kept = before[at]?.event?.event_role === fresh.event?.event_role
      expect(kept ? now : { ...now, asking: fresh.asking }).toEqual(fresh)
    }
  },
)

test('a guest who is let in learns of it and of the event in one go', async () => {
  const [olivia, asha] = (await Promise.all((['olivia', 'asha'] as const).map(name => enter(app, name)))) as [
    Member,
    Member,
  ]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const listener = await listen(app, asha)
  await bringIn(olivia, event_id, asha)
  await listener.next('event.updated')
  expect(listener.kinds()).toEqual(['join.approved', 'guest.joined', 'event.updated'])
  expect(listener.of('event.updated')).toEqual([await asha.extra.events.readEvent({ event_id })])
})
