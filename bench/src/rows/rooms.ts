import { startCeiling } from '../ceiling.ts'
import type { Duel, Side, Slice } from '../figures.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { type Listeners, openListeners } from '../listeners.ts'
import { meter } from '../meter.ts'
import { ask, messageTo, openRoom, type Room } from '../people.ts'
import { median, quantile } from '../statistics.ts'

/** Messages from the POST to the last socket: in one room, and in many at once. */
export const rooms: RowGroup = {
  ids: ['room', 'room.32', 'rooms', 'rooms.slowest'],
  async *duels(fixture) {
    yield* oneRoom(fixture)
    yield await manyRooms(fixture)
  },
}

type ChatRoom = { send(): Promise<unknown>; listeners: Listeners; times: number; people: number }

/**
 * One turn after the other per place: the next begins when everybody has received the last. An operation is one
 * delivery.
 */
const turns = (places: readonly ChatRoom[], metered: Parameters<typeof meter>[0]): Side => ({
  async run(seconds): Promise<Slice> {
    const spent = meter(metered)
    const began = performance.now()
    const took = await Promise.all(
      places.map(async ({ send, listeners, times }) => {
        const each: number[] = []
        while (performance.now() - began < seconds * 1000) {
          const sentAt = performance.now()
          await Promise.all([listeners.hear(times), send()])
          each.push(performance.now() - sentAt)
        }
        return each
      }),
    )
    const deliveries = took.reduce((sum, each, at) => {
      const { times, people } = places[at] as ChatRoom
      return sum + each.length * times * people
    }, 0)
    const [all, medians] = [took.flat(), took.map(each => quantile(each, 0.5))]
    return {
      rate: deliveries / ((performance.now() - began) / 1000),
      p50: quantile(all, 0.5),
      p99: quantile(all, 0.99),
      multiple: Math.max(...medians) / median(medians),
      ...spent(deliveries),
    }
  },
})

const sendTo = (port: number, { chat, maker }: Room, times: number) =>
  Promise.all(Array.from({ length: times }, () => ask(port, messageTo(chat, maker))))

/** The same number of sockets at a bare `ws` that sends the same text. */
const besideBare = async (text: string, { people, times }: { people: number; times: number }) => {
  const bare = await startCeiling('broadcast', { text })
  const tokens = Array.from({ length: people }, () => '')
  const listeners = await openListeners({ port: bare.port, tokens, greeted: false })
  const place: ChatRoom = { send: async () => bare.send(times), listeners, times, people }
  const close = async () => {
    await listeners.close()
    await bare.stop()
  }
  return { place, server: bare.server, close }
}

async function* oneRoom({ large, quick }: Fixture): AsyncGenerator<Duel> {
  const people = quick ? 50 : 500
  const { service } = large
  const room = await openRoom(large, people)
  const listeners = await openListeners({ port: service.port, tokens: room.guests })
  await Promise.all([sendTo(service.port, room, 1), listeners.hear(1)])
  for (const [id, times] of [['room', 4] as const, ['room.32', 32] as const]) {
    const bare = await besideBare(listeners.sample(), { people, times })
    yield {
      goals: [goalOf(id)],
      ceiling: turns([bare.place], { ...service, server: bare.server }),
      ours: turns([{ send: () => sendTo(service.port, room, times), listeners, times, people }], service),
      end: bare.close,
    }
  }
  await listeners.close()
}

const guests = 50

const manyRooms = async ({ large, quick }: Fixture): Promise<Duel> => {
  const number = quick ? 10 : 100
  const { service } = large
  const places: ChatRoom[] = []
  for (let n = 0; n < number; n++) {
    const room = await openRoom(large, guests, n * (guests + 1))
    const listeners = await openListeners({ port: service.port, tokens: room.guests })
    places.push({ send: () => sendTo(service.port, room, 1), listeners, times: 1, people: guests })
  }
  const [first] = places as [ChatRoom]
  await Promise.all([first.listeners.hear(1), first.send()])
  const bare = await besideBare(first.listeners.sample(), { people: number * guests, times: 1 })
  return {
    goals: [goalOf('rooms'), goalOf('rooms.slowest')],
    ceiling: turns([bare.place], { ...service, server: bare.server }),
    ours: turns(places, service),
    async end() {
      for (const { listeners } of places) await listeners.close()
      await bare.close()
    },
  }
}
