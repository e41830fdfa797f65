import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'

const app = await openTestApp()

/** The body as sent: fetch would decompress it. */
const read = async (path: string, headers: Record<string, string> = {}, at = app.url) => {
  const { request } = await import('node:http')
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(`${at}${path}`, { headers }, async reply => {
      const body = Buffer.concat(await reply.toArray())
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body })
    })
      .on('error', reject)
      .end()
  })
}

describe.each(['/api/openapi.json', '/api/openapi-3.0.json', '/api/asyncapi.json', '/docs/', '/docs/js/scalar.js'])(
  '%s',
  path => {
    test('is the same plain, in gzip and in Brotli, and is not sent to a client that has it', async () => {
      const plain = await read(path)
      const zipped = await read(path, { 'accept-encoding': 'gzip' })
      const brotli = await read(path, { 'accept-encoding': 'gzip, br' })
      expect([plain, zipped, brotli].map(each => each.headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
      expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
      const etag = String(brotli.headers.etag)
      const again = await read(path, { 'accept-encoding': 'gzip, br', 'if-none-match': etag })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    })
  },
)

test('a document names the requested host, of any number of hosts', async () => {
  for (let at = 0; at < 20; at++) {
    const { body } = await read('/api/openapi.json', { host: `party${at}.example` })
    expect(JSON.parse(body.toString()).servers).toMatchObject([{ url: `http://party${at}.example` }, {}])
  }
})

test('documents are built once: reading them costs less than building them', { tags: 'slow' }, async () => {
  const { openapi } = await import('@afterglow/contract/openapi')
  const cost = async (work: () => unknown) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const accept = { 'accept-encoding': 'br' }
  await read('/api/openapi.json', accept)
  const reading = await cost(async () => {
    for (let at = 0; at < 100; at++) await read('/api/openapi.json', accept)
  })
  const making = await cost(() => {
    for (let at = 0; at < 100; at++) JSON.stringify(openapi(app.url))
  })
  expect(reading).toBeLessThan(making)
})

test('one network has a limit for documents', async () => {
  const few = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 3 })
  const statuses = []
  for (const path of ['/api/openapi.json', '/docs/', '/api/asyncapi.json', '/docs', '/api/openapi.json'])
    statuses.push((await read(path, {}, few.url)).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('the documentation page has its own origin, runs one script and contacts nobody else', async () => {
  const { headers } = await read('/docs/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'self' 'sha256-[\w+/]+=';/)
  expect(policy).not.toMatch(/allow-same-origin|script-src[^;]*unsafe/)
  expect((await read('/docs')).headers.location).toBe('/docs/')
})
