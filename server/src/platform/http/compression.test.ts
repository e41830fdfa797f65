import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { whenDone } from '../../../test/when-done.ts'
import { readConfig } from '../../settings/config.ts'
import { openServer } from './server.ts'

const list = { data: Array.from({ length: 500 }, (_, id) => ({ id, message_content: 'What an evening 🎉' })) }
const listJson = JSON.stringify(list)

const server = await openServer(readConfig({}), pino({ level: 'silent' }))
server.get('/list', async () => list)
server.get('/bytes', async (_, reply) => reply.type('application/json; charset=utf-8').send(Buffer.from(listJson)))
server.get('/short', async () => ({ done: true }))
server.get('/zip', async (_, reply) => reply.type('application/zip').send(Readable.from([Buffer.from(listJson)])))
const url = await server.listen({ host: '127.0.0.1', port: 0 })
whenDone(() => server.close())

/** Returns the reply as transmitted: fetch would decompress it. */
const asked = async (path: string, encoding?: string, method = 'GET') => {
  const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding }
  const [reply] = await once(request(url + path, { method, headers }).end(), 'response')
  return { headers: reply.headers, body: await buffer(reply) }
}

const browser = 'gzip, deflate, br, zstd'
const ways = [
  [browser, 'zstd', zstdDecompressSync],
  ['zstd;q=0, gzip, br', 'br', brotliDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
] as const

test.each(ways.flatMap(way => ['/list', '/bytes'].map(path => [path, ...way] as const)))(
  'a long reply (%s) is compressed, in one piece of a stated length, for clients that accept %s',
  async (path, accepted, way, open) => {
    const { headers, body } = await asked(path, accepted)
    expect(headers).toMatchObject({
      'content-encoding': way,
      'content-type': expect.stringMatching(/^application\/json/),
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
    })
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(body.length).toBeLessThan(listJson.length / 5)
    expect(open(body).toString()).toBe(listJson)
  },
)

test.each([undefined, 'identity', 'deflate', 'br;q=0'])(
  'a reply is uncompressed for clients that accept %s',
  async accepted => {
    const { headers, body } = await asked('/list', accepted)
    expect(headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBe(String(Buffer.byteLength(listJson)))
    expect(body.toString()).toBe(listJson)
  },
)

test.each([browser, 'br', 'gzip', undefined])(
  'HEAD has the same headers as GET, for clients that accept %s',
  async accepted => {
    const [head, get] = [await asked('/list', accepted, 'HEAD'), await asked('/list', accepted)]
    expect(head.body).toHaveLength(0)
    const own = { date: '', 'x-request-id': '' }
    expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own })
  },
)

test('a reply that depends on the origin varies by both', async () => {
  const headers = { 'Accept-Encoding': 'br', Origin: 'https://party.example' }
  const several = await openServer(
    readConfig({ CORS_ORIGINS: 'https://party.example,https://wedding.example' }),
    pino({ level: 'silent' }),
  )
  several.get('/list', async () => list)
  expect((await several.inject({ url: '/list', headers })).headers.vary).toBe('Origin, Accept-Encoding')
})

test('a short reply, a refusal and a file stay uncompressed', async () => {
  for (const path of ['/short', '/nowhere', '/zip'])
    expect([path, (await asked(path, browser)).headers['content-encoding']]).toEqual([path, undefined])
  expect((await asked('/zip', browser)).body.toString()).toBe(listJson)
})
