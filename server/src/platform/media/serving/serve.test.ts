import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { openSigner } from '../signed-url.ts'
import { type MediaFile, mediaRoutes } from './serve.ts'

const signer = openSigner({ id: 'k1', key: randomBytes(32) })
const rows = new Map<string, MediaFile>()
const bytes = randomBytes(100_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')
let at: StorageAtHand
let app: FastifyInstance
let lookedUp = 0

beforeEach(async () => {
  at = await storageAtHand()
  await store(bytes)
  rows.clear()
  rows.set('1/display', { epoch: 5, type: 'image/jpeg', sha256, bytes: bytes.length })
  lookedUp = 0
  app = Fastify()
  await app.register(
    mediaRoutes({
      storage: at.storage,
      signer,
      mayHold: async ({ userId }, object) => userId === 7 && object === 1,
      find: async (object, variant) => {
        lookedUp++
        return rows.get(`${object}/${variant}`) ?? null
      },
    }),
  )
})
afterEach(async () => {
  await app.close()
  await at.end()
})

async function store(content: Buffer): Promise<string> {
  const { path } = at.storage.temporary()
  const hash = createHash('sha256').update(content).digest('hex')
  await writeFile(path, content)
  await at.storage.put(path, hash)
  return hash
}

const urlOf = (object = 1, variant = 'display', epoch = 5) => `/${signer.sign({ object, variant, epoch })}`
const get = (headers: Record<string, string> = {}, url = urlOf(), method: InjectOptions['method'] = 'GET') =>
  app.inject({ method, url, headers })

describe('serving a media file', () => {
  it('a media file has headers that let a browser show and cache it, and do nothing else', async () => {
    const reply = await get()
    expect(reply.statusCode).toBe(200)
    expect(reply.rawPayload.equals(bytes)).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '100000',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
    })
    const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(String(reply.headers['cache-control'])) ?? []
    const left = Number(new URL(urlOf(), 'http://x').searchParams.get('e')) - Date.now() / 1000
    expect(Math.abs(Number(seconds) - left)).toBeLessThan(3)
  })

  it('HEAD has the headers of GET and no body', async () => {
    const [head, whole] = [await get({}, urlOf(), 'HEAD'), await get()]
    expect(head.statusCode).toBe(200)
    expect(head.rawPayload).toHaveLength(0)
    // The seconds left may be one less by now.
    const { date: _, connection: __, 'cache-control': ___, ...headers } = whole.headers
    expect(head.headers).toMatchObject({
      ...headers,
      'cache-control': expect.stringMatching(/^private, max-age=\d+, immutable$/),
    })
  })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=-5', 99_995, 99_999],
    ['bytes=-1000000', 0, 99_999],
    ['bytes=99999-1000000', 99_999, 99_999],
    ['BYTES=1-2', 1, 2],
  ])('a range request gets the part %s', async (range, start, end) => {
    const reply = await get({ range })
    expect(reply.statusCode).toBe(206)
    expect(reply.rawPayload.equals(bytes.subarray(start, end + 1))).toBe(true)
    expect(reply.headers['content-range']).toBe(`bytes ${start}-${end}/100000`)
    expect(reply.headers['content-length']).toBe(String(end - start + 1))
  })

  it.each(['bytes=100000-', 'bytes=9999999999999999-', 'bytes=-0'])(
    'a range beyond the file gets 416: %s',
    async range => {
      const reply = await get({ range })
      expect(reply.statusCode).toBe(416)
      expect(reply.headers['content-range']).toBe('bytes */100000')
      expect(reply.rawPayload).toHaveLength(0)
    },
  )

  it.each(['bytes=5-4', 'bytes=0-1,3-4', 'bytes=-', 'bytes=', 'bytes=a-b', 'lines=0-1', 'bytes=-1-', 'bytes=0x0-1'])(
    'the whole file is sent for %s',
    async range => {
      const reply = await get({ range })
      expect(reply.statusCode).toBe(200)
      expect(reply.rawPayload).toHaveLength(100_000)
    },
  )

  it('a cached file is not sent again', async () => {
    for (const tag of [`"${sha256}"`, `W/"${sha256}"`, `"a", "${sha256}"`, '*']) {
      const reply = await get({ 'if-none-match': tag, range: 'bytes=0-9' })
      expect(reply.statusCode, tag).toBe(304)
      expect(reply.rawPayload).toHaveLength(0)
      expect(reply.headers.etag).toBe(`"${sha256}"`)
      expect(reply.headers['cache-control']).toMatch(/immutable/)
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('a download resumes only while the file is the same', async () => {
    const range = 'bytes=0-9'
    expect((await get({ range, 'if-range': `"${sha256}"` })).statusCode).toBe(206)
    expect((await get({ range, 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await get({ range, 'if-range': `W/"${sha256}"` })).statusCode).toBe(200)
    expect((await get({ range, 'if-range': 'Fri, 20 Nov 2026 12:00:00 GMT' })).statusCode).toBe(200)
  })

  it('a file created on request is served', async () => {
    rows.set('2/avatar', { epoch: 0, type: 'image/svg+xml', body: Buffer.from('<svg/>'), etag: 'a' })
    const reply = await get({}, urlOf(2, 'avatar', 0))
    expect(reply.body).toBe('<svg/>')
    expect(reply.headers).toMatchObject({ 'content-type': 'image/svg+xml', etag: '"a"', 'content-length': '6' })
    expect((await get({ range: 'bytes=1-3' }, urlOf(2, 'avatar', 0))).body).toBe('svg')
  })

  it('the response only ever declares types that we make', async () => {
    rows.set('3/display', { epoch: 0, type: 'text/html', sha256, bytes: bytes.length })
    const reply = await get({}, urlOf(3, 'display', 0))
    expect(reply.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    })
  })

  it('everything else gets the same Not found!', async () => {
    const url = urlOf()
    rows.set('4/display', { epoch: 0, type: 'image/jpeg', sha256: 'a'.repeat(64), bytes: 5 })
    rows.set('5/display', { epoch: 0, type: 'image/jpeg', sha256, bytes: 5 })
    const replies = await Promise.all(
      [
        url.replace('display', 'preview'),
        url.replace('/1/', '/2/'),
        url.replace(/s=./, 's=*'),
        `${url}&e=1`,
        '/media/1/display',
        urlOf(1, 'display', 4),
        urlOf(99),
        urlOf(4, 'display', 0),
        urlOf(5, 'display', 0),
        url.replace('/1/', '/01/'),
        url.replace('/1/', '/1e0/'),
        url.replace('/1/', '/99999999999999999999/'),
        url.replace('display', '..%2fdisplay'),
      ].map(wrong => get({}, wrong)),
    )
    const alike = replies.map(({ statusCode, body, headers }) => {
      const { date: _, ...rest } = headers
      return JSON.stringify([statusCode, body, rest])
    })
    expect(new Set(alike).size).toBe(1)
    expect(replies[0]?.statusCode).toBe(404)
    expect(replies[0]?.body).toBe('Not found!')
    expect(replies[0]?.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('an implausible URL costs no lookup', async () => {
    await get({}, '/media/1/display?e=1&k=k1&s=x')
    await get({}, `/media/1/display?e=${Math.floor(Date.now() / 1000) + 60}&k=k1`)
    expect(lookedUp).toBe(0)
  })

  it('the file is closed when the client hangs up', async () => {
    const large = Buffer.alloc(40_000_000)
    rows.set('6/display', { epoch: 0, type: 'video/mp4', sha256: await store(large), bytes: large.length })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length
    const before = await openFiles()
    for (let n = 0; n < 10; n++) {
      await new Promise<void>((resolve, reject) => {
        const asking = request({ host: '127.0.0.1', port, path: urlOf(6, 'display', 0), agent: false }, reply => {
          reply.once('data', () => reply.destroy())
          reply.once('close', resolve)
        })
        asking.on('error', reject).end()
      })
    }
    await expect.poll(openFiles).toBeLessThanOrEqual(before + 1)
  })
})
