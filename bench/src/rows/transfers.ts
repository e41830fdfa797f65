import { once } from 'node:events'
import { Agent, request as httpRequestOf, type IncomingMessage, type RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { startCeilingServer } from '../ceiling.ts'
import { type Duel, type Side, Void } from '../figures.ts'
import { load, openLines } from '../http-load.ts'
import { httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import { type Metered, meter } from '../meter.ts'
import { openPhotos } from '../photo.ts'
import { ask, openRoom } from '../room.ts'
import type { RowGroup } from '../row-group.ts'
import type { Stage } from '../stage.ts'
import { oneOf, quantile } from '../statistics.ts'
import { dropSpareWork, uploadsOf } from './uploads.ts'

/** Large bodies in, albums out, and what decoding leaves of the processor for everybody else. */
export const transfers: RowGroup = {
  ids: ['P26', 'P27', 'P27.zip', 'P38', 'P39'],
  async *duels(stage) {
    yield await largeBody(stage)
    yield await listsBesideUploads(stage)
    yield await listsBesideZips(stage)
    yield await albumAsZip(stage)
    yield await fullSize(stage)
  },
}

const mebibyte = Buffer.alloc(1024 * 1024, 'afterglow')
const bodyMiB = 200

/** One exchange, its answer read to the end; throws Void for what was not meant. */
const exchange = async (options: RequestOptions, expected: number, body?: Readable): Promise<IncomingMessage> => {
  const request = httpRequestOf({ host: '127.0.0.1', ...options })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  if (body) await pipeline(body, request)
  else request.end()
  const [reply] = await answered
  await reply.forEach(() => {})
  if (reply.statusCode !== expected)
    throw new Void(`${options.method} ${options.path} was answered ${reply.statusCode}`)
  return reply
}

const largeBody = async ({ large: { service, db }, scratch }: Stage): Promise<Duel> => {
  const [member] = await membersOf(db, { from: 2, to: 2 }, 1)
  const bare = await startCeilingServer('pipe', { directory: `${scratch}/pipe` })
  const body = () => Readable.from(Array.from({ length: bodyMiB }, () => mebibyte))
  const bytes = bodyMiB * mebibyte.length
  const as = { Authorization: `Bearer ${member?.token}`, 'Tus-Resumable': '1.0.0' }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const session = {
    ...as,
    'Upload-Length': String(bytes),
    'Upload-Metadata': `event_id ${base64(String(member?.event))},kind ${base64('video')}`,
  }
  const part = {
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': String(bytes),
    'Upload-Offset': '0',
  }
  const counted = (metered: Metered, send: () => Promise<unknown>): Side => ({
    async run(seconds) {
      const spent = meter(metered)
      const began = performance.now()
      let bodies = 0
      for (; bodies === 0 || performance.now() - began < seconds * 1000; bodies++) await send()
      return { rate: bodies / ((performance.now() - began) / 1000), ...spent(bodies) }
    },
  })
  return {
    goals: [
      {
        id: 'P26',
        work: `body of ${bodyMiB} MiB into an upload session`,
        ceiling: 'piped into a file and synced',
        figure: 'rate',
        floor: 0.9,
        aim: 1,
        cpuDecides: true,
      },
    ],
    ceiling: counted({ ...service, ...bare }, () =>
      exchange({ port: bare.port, method: 'POST', path: '/', headers: { 'Content-Length': bytes } }, 204, body()),
    ),
    ours: counted(service, async () => {
      const { port } = service
      const made = await exchange({ port, method: 'POST', path: '/api/gallery/upload/session', headers: session }, 201)
      const path = new URL(String(made.headers.location)).pathname
      await exchange({ port, method: 'PATCH', path, headers: { ...as, ...part } }, 204, body())
      await exchange({ port, method: 'DELETE', path, headers: as }, 204)
    }),
    end: bare.stop,
  }
}

const pauseMs = 4

/** One reader who asks at less than half of what the service could answer. */
const listsBeside = async (
  stage: Stage,
  { id, what }: { id: string; what: string },
  meanwhile: (seconds: number) => Promise<unknown>,
): Promise<Duel> => {
  const { service, db } = stage.large
  const members = await membersOf(db, { from: 2, to: 200 }, 1)
  const requests = members.map(({ event, token }) =>
    httpRequest('GET', `/api/message/list?group_chat_id=${event}&page=1&page_length=50`, { token }),
  )
  const [line] = await openLines(service.port, 1)
  const read = async (seconds: number) => {
    const took: number[] = []
    for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(pauseMs)) {
      const askedAt = performance.now()
      if (line) await ask(line, oneOf(requests, stage.random))
      took.push(performance.now() - askedAt)
    }
    return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
  }
  return {
    goals: [
      {
        id,
        work: `page of 50 messages while ${what} without pause, p99`,
        ceiling: 'alone',
        figure: 'p99',
        floor: 3,
        aim: 2,
      },
    ],
    ceiling: { run: read },
    ours: {
      async run(seconds) {
        const [figures] = await Promise.all([read(seconds), meanwhile(seconds)])
        return figures
      },
    },
    async end() {
      line?.close()
    },
  }
}

const listsBesideUploads = async (stage: Stage) => {
  const next = await uploadsOf(stage)(stage.large)
  return listsBeside(stage, { id: 'P27', what: 'two uploads of 12 megapixels decode' }, seconds =>
    load({ port: stage.large.service.port, connections: 2, next }, seconds).finally(() => dropSpareWork(stage.large)),
  )
}

const listsBesideZips = async (stage: Stage) => {
  const { download_url } = await albumOf(stage)
  const { port } = stage.large.service
  const { pathname, search } = new URL(download_url)
  // Of a thread of their own: who reads hundreds of megabytes a second held up whoever measures, 20 ms at the p99.
  const readers = new Worker(new URL('../reading.ts', import.meta.url), {
    workerData: { url: `http://127.0.0.1:${port}${pathname}${search}`, atOnce: 2 },
  })
  const reading = async (seconds: number) => {
    readers.postMessage(seconds)
    const [statuses] = (await once(readers, 'message')) as [number[]]
    if (statuses.some(status => status !== 200)) throw new Void(`a zip was answered ${statuses.join()}`)
  }
  const duel = await listsBeside(stage, { id: 'P27.zip', what: 'two clients read an album in full size' }, reading)
  return {
    ...duel,
    async end() {
      await duel.end?.()
      await readers.terminate()
    },
  }
}

const photosOfAlbum = 40

/** In full, by somebody else than who took them: all bytes come without metadata. */
const albumOf = async ({ large: { service, db } }: Stage) => {
  const room = await openRoom(service, db, { guests: 1, muted: true })
  const api = (token: string, path: string, more: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.port}/api/${path}`, { ...more, headers: { Authorization: `Bearer ${token}` } })
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  for (let n = 0; n < photosOfAlbum; n++) {
    const picture = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#888', noise } })
    const form = new FormData()
    form.set('event_id', String(room.event))
    form.set('image', new Blob([await picture.jpeg().toBuffer()]), 'photo.jpg')
    const reply = await api(room.maker, 'gallery/upload', { method: 'POST', body: form })
    if (reply.status !== 200) throw new Void(`an upload was answered ${reply.status}`)
  }
  const guest = room.guests[0] ?? ''
  const list = await api(guest, `gallery/photos/${room.event}?page=1&page_length=100`)
  const { data } = (await list.json()) as { data: { event_photo_url: string }[] }
  const linked = await api(guest, `gallery/download/${room.event}`, { method: 'POST' })
  const { download_url } = (await linked.json()) as { download_url: string }
  return { data, download_url }
}

/** The same bytes on both sides. */
const albumAsZip = async (stage: Stage): Promise<Duel> => {
  const { service } = stage.large
  const { data, download_url } = await albumOf(stage)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const fetched = (url: string) => {
    const { pathname, search } = new URL(url)
    return exchange({ port: service.port, method: 'GET', path: pathname + search, agent }, 200)
  }
  const albums = (take: () => Promise<unknown>): Side => ({
    async run(seconds) {
      const spent = meter(service)
      const began = performance.now()
      let taken = 0
      for (; taken === 0 || performance.now() - began < seconds * 1000; taken++) await take()
      return { rate: taken / ((performance.now() - began) / 1000), ...spent(taken) }
    },
  })
  return {
    goals: [
      {
        id: 'P38',
        work: `album of ${photosOfAlbum} photos as a zip`,
        ceiling: 'the same full-size files one after the other',
        figure: 'rate',
        floor: 0.8,
        aim: 0.95,
      },
    ],
    ceiling: albums(async () => {
      for (const { event_photo_url } of data) await fetched(event_photo_url)
    }),
    ours: albums(() => fetched(download_url)),
    async end() {
      agent.destroy()
    },
  }
}

/** A picture with metadata is sent in pieces of what is stored; the plain file is what is stored, in the place of the size for screens. */
const fullSize = async ({ large: { service, db } }: Stage): Promise<Duel> => {
  const room = await openRoom(service, db, { guests: 1, muted: true })
  const api = (token: string, path: string, more: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.port}/api/${path}`, { ...more, headers: { Authorization: `Bearer ${token}` } })
  const form = new FormData()
  form.set('event_id', String(room.event))
  form.set('image', new Blob([new Uint8Array((await openPhotos()).original)]), 'photo.jpg')
  const uploaded = await api(room.maker, 'gallery/upload', { method: 'POST', body: form })
  if (uploaded.status !== 200) throw new Void(`an upload was answered ${uploaded.status}`)
  const { id } = (await uploaded.json()) as { id: string }
  await db.query(
    `update media m set variants = variants || jsonb_build_object('display',
       variants -> 'display' || jsonb_build_object('sha256', m.original_sha256, 'bytes', m.original_bytes))
     from photos p where p.id = $1 and m.id = p.media_id`,
    [id],
  )
  const asked = await api(room.guests[0] ?? '', `gallery/photo/details/${id}?include=extra`)
  const { event_photo_url, extra } = (await asked.json()) as {
    event_photo_url: string
    extra: { screen_url: string; original: { bytes: number } }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const reading = (url: string): Side => ({
    async run(seconds) {
      const { pathname, search } = new URL(url)
      const spent = meter(service)
      const began = performance.now()
      let files = 0
      for (; files === 0 || performance.now() - began < seconds * 1000; files++)
        await exchange({ port: service.port, method: 'GET', path: pathname + search, agent }, 200)
      return { rate: files / ((performance.now() - began) / 1000), ...spent(files) }
    },
  })
  return {
    goals: [
      {
        id: 'P39',
        work: `a photo in full size, ${(extra.original.bytes / 1e6).toFixed(1)} MB`,
        ceiling: 'the same bytes as a plain file',
        figure: 'rate',
        floor: 0.8,
        aim: 0.95,
      },
    ],
    ceiling: reading(extra.screen_url),
    ours: reading(event_photo_url),
    async end() {
      agent.destroy()
    },
  }
}
