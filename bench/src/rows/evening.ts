import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ears, openArrivals } from '../arrivals.ts'
import { type Duel, told } from '../figures.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import type { Goal } from '../goals.ts'
import { meter } from '../meter.ts'
import { messageTo } from '../people.ts'
import { type Guest, openPhones, type Phones } from '../phones.ts'
import { startService } from '../service.ts'
import { openUploads } from '../uploads.ts'
import { prepareWedding, type Wedding } from '../wedding.ts'

type Evening = { guests: number; joinSeconds: number; senders: number; uploaders: number }
const messagesEach = 3
/** One in ten listeners reports its latency. */
const listensEvery = 10
/** The time in which everybody sends, uploads and reads again: as long as joining took, but in no hurry. */
const togetherSeconds = ({ joinSeconds }: Evening) => Math.max(15, joinSeconds)

/**
 * One link, one address, an instance's default limits, and people who arrive on schedule, whether or not those before
 * them have been served.
 */
export const evening: RowGroup = {
  ids: ['evening', 'evening.600', 'evening.1000', 'evening.60', 'evening.5'],
  async *duels(fixture) {
    const guests = (many: number) => (fixture.quick ? Math.ceil(many / 20) : many)
    const wedding = await prepareWedding(fixture)
    const of = (many: number, joinSeconds: number, senders = 60, uploaders = 20) =>
      spend(fixture, wedding, {
        guests: guests(many),
        joinSeconds,
        senders: guests(senders),
        uploaders: guests(uploaders),
      })
    yield* rowsOf('evening.600', await of(600, 30), [refusals])
    yield* rowsOf('evening', await of(300, 15), [refusals, ...feelings])
    yield* rowsOf('evening.60', await of(300, 60), [refusals, journey])
    yield* rowsOf('evening.5', await of(300, 5), [refusals, { ...journey, floor: 6500, aim: 1200 }])
    yield* rowsOf('evening.1000', await of(1000, 60, 200, 60), [refusals, readsOfMany])
  },
}

type Feeling = Pick<Goal, 'work' | 'figure' | 'floor' | 'aim'> & { act: string }
const refusals: Feeling = { act: 'refused', work: 'refused', figure: 'refused', floor: 0, aim: 0 }
const journey: Feeling = { act: 'journey', work: 'from the link to the album, p50', figure: 'p50' }
const again: Feeling = { act: 'again', work: 'chat and album again, p50', figure: 'p50', floor: 240, aim: 100 }
const readsOfMany: Feeling = { act: 'again', work: 'chat and album again, p99', figure: 'p99', floor: 1000 }
const feelings: Feeling[] = [
  journey,
  { act: 'cpu', work: 'CPU a guest who comes', figure: 'cpu' },
  again,
  { act: 'send', work: 'a send, p50', figure: 'p50', floor: 88, aim: 50 },
  { act: 'heard', work: 'heard by another guest, p50', figure: 'p50', floor: 165, aim: 100 },
  { act: 'upload', work: 'an upload of 12 megapixels, p50', figure: 'p50', floor: 3200, aim: 2500 },
  { act: 'told', work: 'its preview at another guest, p50', figure: 'p50', floor: 100, aim: 100 },
]

type Spent = { evening: Evening; phones: Phones; cpu: number }

function* rowsOf(id: string, { evening, phones, cpu }: Spent, all: readonly Feeling[]): Iterable<Duel> {
  for (const reason of new Set(phones.refused)) console.error(`  refused: ${reason}`)
  for (const { act, work, ...goal } of all)
    yield told(
      { id, work: `${evening.guests} guests come in ${evening.joinSeconds} s: ${work}`, ...goal },
      { ...(act !== 'refused' && phones.of(act)), refused: phones.refused.length, cpu },
    )
}

const spend = async ({ random }: Fixture, wedding: Wedding, evening: Evening): Promise<Spent> => {
  const { event, chat, code, page, album } = wedding
  const dataDir = `${wedding.dataDir}-${evening.guests}-${evening.joinSeconds}`
  execFileSync('cp', ['--archive', '--reflink=auto', wedding.dataDir, dataDir])
  const service = await startService(dataDir, { limited: true })
  // If the web client is older than its sources, the service builds it first.
  while (!(await fetch(`http://127.0.0.1:${service.port}${page}`)).ok) await sleep(500)
  const phones = openPhones(service.port)
  const spent = meter(service)
  const ears = openArrivals(phones)
  const come = async (n: number): Promise<Guest> =>
    phones.timed('journey', async () => {
      await phones.asked('page', { path: page })
      await phones.asked('open', { path: `/api/event/link/open/${code}` })
      const guest = await phones.join(code, { event, chat }, `Guest ${n}`)
      ears.sockets.push(await phones.listen(guest.token, n % listensEvery === 0 ? ears.heard : undefined))
      await phones.read(guest, album)
      return guest
    })
  const guests: Guest[] = []
  await over(
    evening.guests,
    n => (n * evening.joinSeconds) / evening.guests,
    async n => void guests.push(await come(n)),
    phones,
  )
  const cpu = spent(evening.guests).cpu as number
  await together({ evening, phones, ears, guests, random, album })
  for (const socket of ears.sockets) socket.destroy()
  await service.stop()
  return { evening, phones, cpu }
}

/** Runs this many acts, each at its moment in seconds. */
const over = (count: number, momentOf: (n: number) => number, act: (n: number) => Promise<void>, phones: Phones) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      phones.try(async () => {
        await sleep(momentOf(n) * 1000)
        await act(n)
      }),
    ),
  )

type Together = {
  evening: Evening
  phones: Phones
  ears: Ears
  guests: readonly Guest[]
  random: () => number
  album: number
}

const together = async ({ evening, phones, ears, guests, random, album }: Together) => {
  const { unseen } = await openUploads()
  const anyMoment = () => random() * togetherSeconds(evening)
  const sends = Math.min(evening.senders, guests.length) * messagesEach
  const send = async (n: number) => {
    const { chat, token } = guests[n % Math.min(evening.senders, guests.length)] as Guest
    ears.begun.set(`words ${n}`, performance.now())
    await phones.asked('send', messageTo(chat, token, `words ${n}`))
  }
  const upload = async (n: number) => {
    const { id } = await phones.asked('upload', unseen(guests[n] as Guest))
    ears.stored.set(id, performance.now())
  }
  const readAgain = async (n: number) => {
    await phones.timed('again', () => phones.read(guests[n] as Guest, album))
  }
  await Promise.all([
    over(sends, anyMoment, send, phones),
    over(Math.min(evening.uploaders, guests.length), anyMoment, upload, phones),
    over(guests.length, anyMoment, readAgain, phones),
  ])
  // The last messages are still on their way.
  await sleep(1000)
  for (const { id, at } of ears.shown) phones.note('told', Math.max(0, at - (ears.stored.get(id) ?? at)))
}
