import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { readClient } from './files.ts'

const directory = newFolder('client')
await mkdir(join(directory, 'assets'))
const script = 'console.log("hello")'
await writeFile(join(directory, 'index.html'), '<!doctype html><head><meta nonce="NONCE"></head><p>The page')
const named = {
  pages: { '/events': ['assets/events-1.js'], '/events/:eventId/chat': ['assets/chat-1.js', 'assets/chat-1.css'] },
  words: { en: 'assets/en-1.json', es: 'assets/es-1.json' },
}
await writeFile(join(directory, 'pages.json'), JSON.stringify(named))
await writeFile(join(directory, 'assets/app-1a2b.js'), script)
await writeFile(join(directory, 'assets/app-1a2b.js.gz'), gzipSync(script))
await writeFile(join(directory, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
await writeFile(join(directory, 'sw.js'), 'self.onpush = () => {}')
await writeFile(join(directory, '.sources'), 'a secret of the build')

const built = await readClient(directory)
const app = await openTestApp({}, { webClient: { current: () => built } })
const building = await openTestApp({}, { webClient: { current: () => undefined } })

const page = { accept: 'text/html,*/*' }
const get = (path: string, headers: Record<string, string> = page, at = app) => fetch(at.url + path, { headers })

test.each(['/', '/events/7/chat?message=9', '/j/abc', '/settings'])(
  '%s is the page, revalidated each time',
  async path => {
    const reply = await get(path)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    expect(await reply.text()).toContain('The page')
  },
)

test('the policy allows only our own files, and each reply has a new nonce', async () => {
  const replies = await Promise.all([get('/'), get('/')])
  const nonces = await Promise.all(
    replies.map(async reply => {
      const policy = reply.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toContain('unsafe')
      const [, nonce = ''] = /'nonce-([\w-]{20,})'/.exec(policy) ?? []
      expect(await reply.text()).toContain(`nonce="${nonce}"`)
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(2)
})

test('a file with a hash in its name is cached for ever, compressed as the browser prefers', async () => {
  const reply = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' })
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await reply.text()).toBe(script)
  const plain = await get('/assets/app-1a2b.js', { 'accept-encoding': 'identity' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(script)
})

test.each(['/assets/app-1a2b.js', '/icon.svg', '/sw.js'])('a cached %s is not sent again', async path => {
  const before = await get(path, { 'accept-encoding': 'gzip' })
  const tag = before.headers.get('etag') ?? ''
  const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': `"another", ${tag}` })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
  const other = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': '"another"' })
  expect(other.status).toBe(200)
})

test('a page preloads its scripts and texts, in the browser’s language', async () => {
  const headOf = async (path: string, language: string, more = {}) =>
    (await get(path, { ...page, 'accept-language': language, ...more })).text()
  const chat = await headOf('/events/7/chat?message=9', 'fr-FR,es-MX;q=0.8,en;q=0.5')
  expect(chat).toContain('<link rel="modulepreload" crossorigin href="/assets/chat-1.js">')
  expect(chat).toContain('<link rel="preload" as="style" crossorigin href="/assets/chat-1.css">')
  expect(chat).toContain('<link rel="preload" as="fetch" crossorigin="anonymous" href="/assets/es-1.json">')
  expect(chat).not.toContain('events-1')
  // From there it leads to the events.
  const home = await headOf('/', 'fr')
  expect(home).toContain('/assets/events-1.js')
  expect(home).toContain('/assets/en-1.json')
  // The service worker keeps one page for all addresses.
  const kept = await headOf('/', 'es', { 'sec-fetch-dest': 'empty' })
  expect(kept).not.toContain('<link')
  expect(kept).not.toContain('<script')
})

test.each(['*/*', 'image/webp,*/*;q=0.8'])(
  'a client that accepts anything (%s) gets a page where there is one',
  async accept => {
    const accepted = { accept }
    for (const path of ['/', '/events', '/events/7/chat'])
      expect([path, await (await get(path, accepted)).text()]).toEqual([path, expect.stringContaining('The page')])
    for (const path of ['/nothing', '/api', '/api/nothing', '/events/7/nothing'])
      expect([path, await (await get(path, accepted)).text()]).toEqual([path, 'Not found!'])
  },
)

test('a file without a hash in its name is revalidated', async () => {
  const reply = await get('/icon.svg')
  expect(reply.headers.get('cache-control')).toBe('no-cache')
  expect(reply.headers.get('content-type')).toBe('image/svg+xml')
})

test('the service worker is revalidated, and may only load our files', async () => {
  const reply = await get('/sw.js')
  expect(reply.headers.get('cache-control')).toBe('no-cache')
  expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
})

test.each([
  '/api/nothing',
  '/media/1/none',
  '/assets/gone-9f.js',
  '/.sources',
  '/index.html',
  '/pages.json',
  '/..%2f..%2fpackage.json',
])('%s is no page of the client for a request for data', async path => {
  const reply = await get(path, { accept: 'application/json' })
  expect(reply.status).toBe(404)
  expect(await reply.text()).toBe('Not found!')
})

test.each(['/api/nothing', '/assets/gone-9f.js', '/docs-not/../api/x'])(
  '%s is no page for a browser either',
  async path => {
    const reply = await get(path)
    expect([reply.status, await reply.text()]).toEqual([404, 'Not found!'])
  },
)

test('a page says that the client is being built, and reloads by itself', async () => {
  const reply = await get('/events', page, building)
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('2')
  expect(await reply.text()).toContain('http-equiv="refresh"')
})
