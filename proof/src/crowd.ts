import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { here } from './checks/said.ts'
import { type Ask, askerOf, type Json } from './http.ts'
import { listen } from './listener.ts'
import { demand, enter, makeEvent } from './party.ts'
import { pictureOf } from './pictures.ts'
import { descendantsOf } from './processes.ts'
import { type Random, randomOf } from './random.ts'
import { percentile } from './report.ts'
import { openVenue, type Place, type Venue } from './venue.ts'

/*
 * People as they are at a party. Where the figures come from stands in docs/proof.md; each is rounded up, so that the
 * crowd is busier than what was published.
 */
const model = {
  peopleAnEvent: 50,
  /** Between two looks at the phone. */
  lookEverySeconds: 600,
  /** How long the app stays open. */
  lookSeconds: 60,
  /** Of looks, in how many somebody writes, and how often then. */
  writes: 0.5,
  messagesWhenWriting: [1, 3],
  reacts: 0.3,
  scrollsBack: 0.3,
  opensAlbum: 0.5,
  /** Three photos in an evening of five hours. */
  uploads: 0.1,
  badNetwork: 0.1,
} as const

const limits = { readMs: 250, sendMs: 300 }

export type Guest = { token: string; eventId: number; chatId: number; random: Random; bad: boolean }
type Seen = { reads: number[]; sends: number[]; uploads: number[]; faults: string[]; requests: number }
export type Step = {
  people: number
  reads: number
  sends: number
  uploads: number
  requests: number
  cpu: Record<string, number>
  broke: string | undefined
}

export type Crowd = Place & { people: number; seconds: number; seed: number; signal: AbortSignal }

/** Doubled at most so often; then the room between the last number that was served and the first that was not is halved. */
const doublings = 6
const halvings = 2
/** After a step that broke, for what it left to be done. */
const restMs = 15_000

/** More and more people on one instance, until a limit is passed or something fails; then as many as lie between. */
export const growCrowd = async (
  { people, seconds, seed, signal, ...place }: Crowd,
  tell: (step: Step) => void,
): Promise<Step[]> => {
  await using venue = await openVenue(place)
  const { ask, close } = askerOf(() => venue.url)
  await using closing = new AsyncDisposableStack()
  closing.defer(close)
  const random = randomOf(seed).of('crowd')
  const guests: Guest[] = []
  const steps: Step[] = []
  const stepOf = async (count: number) => {
    await invite(ask, guests, count, random)
    const step = await watch(venue, ask, guests.slice(0, count), seconds, signal)
    steps.push(step)
    tell(step)
    if (step.broke) await sleep(restMs)
    return step
  }
  let [served, broken] = [0, Number.POSITIVE_INFINITY]
  for (let count = people, nth = 0; nth <= doublings && !signal.aborted; nth++, count *= 2) {
    if ((await stepOf(count)).broke) {
      broken = count
      break
    }
    served = count
  }
  for (let nth = 0; nth < halvings && Number.isFinite(broken) && !signal.aborted; nth++) {
    const count = Math.round((served + broken) / 2)
    if ((await stepOf(count)).broke) broken = count
    else served = count
  }
  return steps
}

/** They come by a link and give a name, as guests do. */
export const invite = async (
  ask: Ask,
  guests: Guest[],
  count: number,
  random: Random,
  anEvent: number = model.peopleAnEvent,
) => {
  const organizer = await enter(ask, 'organizer')
  while (guests.length < count) {
    const { eventId, chatId } = await makeEvent(ask, organizer, `Party ${guests.length}`)
    const link = await demand(ask, 'POST', 'api/event/link', { token: organizer.token, json: { event_id: eventId } })
    const code = link.link_code
    for (let nth = 0; nth < anEvent && guests.length < count; nth += 10)
      await Promise.all(
        Array.from({ length: Math.min(10, count - guests.length) }, async () => {
          const json = {
            user_first_name: `Guest ${random.whole(0, 1e9)}`,
            device_id: `phone ${random.whole(0, 1e12)}`,
            user_timezone: 'Europe/Madrid',
            user_device_platform: 'android',
          }
          const { token } = await demand(ask, 'POST', `api/event/link/join/${code}`, {
            json,
            key: random.bytes(24).toString('hex'),
          })
          guests.push({
            token,
            eventId,
            chatId,
            random: random.of(`guest ${guests.length}`),
            bad: random.chance(model.badNetwork),
          })
        }),
      )
  }
}

/** Everybody for some time, each at another place of the way from one look to the next. */
const watch = async (
  venue: Venue,
  ask: Ask,
  guests: readonly Guest[],
  seconds: number,
  signal: AbortSignal,
): Promise<Step> => {
  const seen: Seen = { reads: [], sends: [], uploads: [], faults: [], requests: 0 }
  const endsAt = Date.now() + seconds * 1000
  const before = cpuOf(venue)
  await Promise.all(
    guests.map(async guest => {
      for (
        let wait = guest.random.next() * model.lookEverySeconds;
        ;
        wait = model.lookEverySeconds * (0.5 + guest.random.next())
      ) {
        if (Date.now() + wait * 1000 > endsAt || signal.aborted) return
        await sleep(wait * 1000)
        await look(venue, ask, guest, seen).catch((fault: Error) => seen.faults.push(fault.message))
      }
    }),
  )
  await sleep(Math.max(0, endsAt - Date.now()))
  const after = cpuOf(venue)
  const cpu = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / seconds]),
  )
  const [reads, sends, uploads] = [seen.reads, seen.sends, seen.uploads].map(times => percentile(times, 0.99)) as [
    number,
    number,
    number,
  ]
  const broke =
    seen.faults[0] ??
    (reads > limits.readMs
      ? `p99 of reads ${reads.toFixed(0)} ms`
      : sends > limits.sendMs
        ? `p99 of sends ${sends.toFixed(0)} ms`
        : undefined)
  return { people: guests.length, reads, sends, uploads, requests: seen.requests / seconds, cpu, broke }
}

/** One look at the phone, from opening the app to putting it away. */
const look = async ({ url }: Venue, ask: Ask, { token, eventId, chatId, random, bad }: Guest, seen: Seen) => {
  const timed = async (into: number[], method: string, path: string, asking: object = {}): Promise<Json> => {
    if (bad) await sleep(random.whole(100, 800))
    const began = performance.now()
    const reply = await ask(method, path, { token, ...asking })
    into.push(performance.now() - began)
    seen.requests += 1
    if (reply.status >= 400) throw new Error(`${method} ${path.split('?')[0]} answered ${reply.status}`)
    return reply.body
  }
  const read = (path: string) => timed(seen.reads, 'GET', path)
  const dwell = (share: number) => sleep(model.lookSeconds * 1000 * share * random.next())
  let listener = listen(() => url, { token, ask })
  try {
    await timed(seen.reads, 'PUT', 'api/realtime/ping')
    await read('api/message/group/list?page=1&page_length=20&include=extra')
    await dwell(0.1)
    const messages = (await read(`api/message/list?group_chat_id=${chatId}&page=1&page_length=50&include=extra`)).data
    if (messages[0]) await timed(seen.sends, 'PUT', `api/message/seen/${messages[0].id}`)
    await dwell(0.4)
    if (random.chance(model.scrollsBack))
      await read(`api/message/list?group_chat_id=${chatId}&page=2&page_length=50&include=extra`)
    if (messages[0] && random.chance(model.reacts))
      await timed(seen.sends, 'PUT', `api/message/react/${random.pick(messages as Json[]).id}`, {
        json: { message_reaction: '🎉' },
      })
    if (random.chance(model.writes))
      for (let left = random.whole(...model.messagesWhenWriting); left > 0; left--) {
        await dwell(0.2)
        const form = {
          group_chat_id: chatId,
          message_content: `something that people say, of some length, ${random.whole(0, 1e9)}`,
        }
        await timed(seen.sends, 'POST', 'api/message', { form, key: random.bytes(12).toString('hex') })
      }
    if (bad) {
      listener.close()
      listener = listen(() => url, { token, ask, ...(listener.cursor && { cursor: listener.cursor }) })
    }
    if (random.chance(model.opensAlbum)) {
      const photos = (await read(`api/gallery/photos/${eventId}?page=1&page_length=50&include=extra`)).data
      for (const photo of photos.slice(0, 12)) await read(here(photo.event_photo_preview_url))
    }
    if (random.chance(model.uploads)) {
      const { bytes } = await pictureOf(random, { width: 1600, height: 1200 })
      const files = [{ field: 'image', name: 'photo.jpg', type: 'image/jpeg', bytes }]
      await timed(seen.uploads, 'POST', 'api/gallery/upload', {
        form: { event_id: eventId },
        files,
        key: random.bytes(12).toString('hex'),
      })
    }
    await dwell(0.3)
    await timed(seen.reads, 'PUT', 'api/realtime/disconnect')
  } finally {
    listener.close()
  }
}

/** Seconds of processor since the beginning: of the servers with their workers, of the database, of this load. */
const cpuOf = ({ servers, postmaster }: Venue): Record<string, number> => {
  const of = (pids: readonly number[]) =>
    pids.flatMap(pid => [pid, ...descendantsOf(pid)]).reduce((sum, pid) => sum + secondsOf(pid), 0)
  return {
    server: of(servers()),
    database: of(postmaster()),
    load: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  }
}

const secondsOf = (pid: number): number => {
  try {
    const words = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return 0
  }
}

export const crowdTable = (steps: readonly Step[]): string => {
  const rows = steps.map(({ people, reads, sends, uploads, requests, cpu, broke }) => {
    const cores = Object.entries(cpu).map(([name, used]) => `${name} ${used.toFixed(2)}`)
    return `| ${people} | ${requests.toFixed(1)} | ${reads.toFixed(0)} ms | ${sends.toFixed(0)} ms | ${uploads.toFixed(0)} ms | ${cores.join(', ')} | ${broke ?? ''} |`
  })
  return [
    '| People | Requests a second | p99 of reads | of sends | of uploads | Cores in use | Breaks by |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
