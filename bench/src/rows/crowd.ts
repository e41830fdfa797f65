import { setTimeout as sleep } from 'node:timers/promises'
import { told } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { meter } from '../meter.ts'
import { type Asked, chatPage, messageTo } from '../people.ts'
import { type Guest, openHost, openPhones, type Phones } from '../phones.ts'
import { type Service, startService } from '../service.ts'
import { oneOf } from '../statistics.ts'
import { openUploads } from '../uploads.ts'

/*
 * People as they are at a party, each figure rounded up, so that the crowd is busier than what was published. They look at
 * the phone once in ten minutes (Asurion, 2019: 96 times a day), here always at this app, and write one to three messages in
 * half of all looks, six an hour (WhatsApp, October 2020: 100 billion messages a day among 2 billion people, three an hour
 * awake). Three photos in an evening of five hours and the other shares are our own assumptions.
 */
const model = {
  peopleAnEvent: 50,
  lookEverySeconds: 600,
  /** How long the app stays open. */
  lookSeconds: 60,
  /** Of looks, in how many somebody writes, and how often then at most. */
  writes: 0.5,
  messagesWhenWriting: 3,
  reacts: 0.3,
  scrollsBack: 0.3,
  opensAlbum: 0.5,
  uploads: 0.1,
}
const limits = { read: 250, send: 300 }
/** Doubled at most so often; then the room between the last number that was served and the first that was not is halved. */
const doublings = 5
const halvings = 2
/** After a step that broke, for what it left to be done. */
const restMs = 15_000

/** More and more people on one instance, until they wait too long or something fails; then as many as lie between. */
export const crowd: RowGroup = {
  ids: ['crowd'],
  onlyWhenNamed: true,
  async *duels({ scratch, random, quick, processes }) {
    const service = await startService(`${scratch}/crowd`, { processes })
    const guests: Guest[] = []
    const { unseen } = await openUploads(1600)
    const [first, seconds] = quick ? [20, 5] : [3200, 120]
    const isServed = async (count: number) => {
      await invite(service, guests, count)
      const phones = openPhones(service.port)
      const spent = meter(service)
      await watch(guests.slice(0, count), seconds, { phones, random, unseen })
      const [read, send] = [phones.of('read').p99, phones.of('send').p99]
      const { cpu = 0 } = spent(phones.count())
      const broke = phones.refused[0] ?? (read > limits.read || send > limits.send ? 'they wait too long' : undefined)
      console.error(
        `  ${count} people: reads ${read.toFixed(0)} ms, sends ${send.toFixed(0)} ms at p99, ${(phones.count() / seconds).toFixed(1)} requests a second of ${cpu.toFixed(2)} ms CPU; ${broke ?? 'served'}`,
      )
      if (broke) await sleep(restMs)
      return !broke
    }
    let [served, broken, count] = [0, Number.POSITIVE_INFINITY, first as number]
    for (let nth = 0; nth <= (quick ? 1 : doublings); nth++, count *= 2) {
      if (!(await isServed(count))) {
        broken = count
        break
      }
      served = count
    }
    for (let nth = 0; nth < halvings && Number.isFinite(broken); nth++) {
      count = Math.round((served + broken) / 2)
      if (await isServed(count)) served = count
      else broken = count
    }
    await service.stop()
    yield told(goalOf('crowd'), { people: served })
  },
}

/** They come by a link and give a name, as guests do. */
const invite = async ({ port }: Service, guests: Guest[], count: number) => {
  const phones = openPhones(port)
  const host = await openHost(port)
  while (guests.length < count) {
    const { event, chat, code } = await host.makeEvent()
    const many = Math.min(model.peopleAnEvent, count - guests.length)
    for (let nth = 0; nth < many; nth += 10)
      guests.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(10, many - nth) }, (_, n) =>
            phones.join(code, { event, chat }, `Guest ${nth + n}`),
          ),
        )),
      )
  }
}

type Watched = { phones: Phones; random: () => number; unseen(guest: Guest): Asked }

/** Everybody for some time, each at another place of the way from one look to the next. */
const watch = async (guests: readonly Guest[], seconds: number, watched: Watched) => {
  const endsAt = performance.now() + seconds * 1000
  await Promise.all(
    guests.map(async guest => {
      let wait = watched.random() * model.lookEverySeconds
      while (performance.now() + wait * 1000 < endsAt) {
        await sleep(wait * 1000)
        await watched.phones.try(() => look(guest, watched))
        wait = model.lookEverySeconds * (0.5 + watched.random())
      }
    }),
  )
  await sleep(Math.max(0, endsAt - performance.now()))
}

/** One look at the phone, from opening the app to putting it away. */
const look = async (guest: Guest, { phones, random, unseen }: Watched) => {
  const { token, chat } = guest
  const dwell = (share: number) => sleep(model.lookSeconds * 1000 * share * random())
  const put = (act: string, path: string, json?: unknown) => phones.asked(act, { method: 'PUT', path, token, json })
  const socket = await phones.listen(token)
  try {
    await put('read', '/api/realtime/ping')
    await phones.asked('read', { path: '/api/message/group/list?page=1&page_length=20&include=extra', token })
    await dwell(0.1)
    const messages = (await phones.asked('read', chatPage(chat, token))).data as { id: string }[]
    if (messages[0]) await put('send', `/api/message/seen/${messages[0].id}`)
    await dwell(0.4)
    if (random() < model.scrollsBack) await phones.asked('read', chatPage(chat, token, 2))
    if (messages[0] && random() < model.reacts)
      await put('send', `/api/message/react/${oneOf(messages, random).id}`, { message_reaction: '🎉' })
    if (random() < model.writes)
      for (let left = 1 + Math.floor(random() * model.messagesWhenWriting); left > 0; left--) {
        await dwell(0.2)
        await phones.asked('send', messageTo(chat, token))
      }
    if (random() < model.opensAlbum) await phones.read(guest, 50)
    if (random() < model.uploads) await phones.asked('upload', unseen(guest))
    await dwell(0.3)
    await put('read', '/api/realtime/disconnect')
  } finally {
    socket.destroy()
  }
}
