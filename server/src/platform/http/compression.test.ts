import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'

const app = await openTestApp()

/** As transmitted: fetch would decompress it. */
const asked = (path: string, encoding: string | undefined) =>
  new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding }
    request(app.url + path, { headers }, reply => {
      buffer(reply).then(body => resolve({ headers: reply.headers, body }), reject)
    })
      .on('error', reject)
      .end()
  })

const long = '/api/openapi.json'
const plain = JSON.parse((await asked(long, undefined)).body.toString())

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
])('a long reply comes compressed for who accepts %s', async (accepted, way, open) => {
  const { headers, body } = await asked(long, accepted)
  expect(headers).toMatchObject({
    'content-encoding': way,
    'content-type': expect.stringMatching(/^application\/json/),
    vary: expect.stringMatching(/accept-encoding/i),
  })
  expect(JSON.parse(open(body).toString())).toEqual(plain)
})

test.each([undefined, 'identity', 'deflate', 'br;q=0'])('it comes as it is for who accepts %s', async accepted => {
  const { headers, body } = await asked(long, accepted)
  expect(headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(body.toString())).toEqual(plain)
})

test('a short reply and a refusal stay as they are', async () => {
  for (const path of ['/api/realtime/config', '/api/account/details'])
    expect([path, (await asked(path, 'br')).headers['content-encoding']]).toEqual([path, undefined])
})
