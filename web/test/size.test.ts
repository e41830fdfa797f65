import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { Ahead } from '../build/first-pages.ts'
import { pagesIn } from '../build/first-pages.ts'
import { builtClient, readyClient } from './client.ts'

const pages = pagesIn(readFileSync(join(import.meta.dirname, '../src/shell/router.tsx'), 'utf8'))
/** Compressed, as the goal counts it; browsers are sent Brotli, which is an eighth less. */
const kilobytesOf = (file: string) => {
  const path = join(builtClient, file)
  const sent = statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path)
  return sent.size / 1024
}

let ahead: Ahead
/** What index.html itself names. */
let first: string[]
beforeAll(async () => {
  await readyClient()
  ahead = JSON.parse(readFileSync(join(builtClient, 'pages.json'), 'utf8'))
  const html = readFileSync(join(builtClient, 'index.html'), 'utf8')
  first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file as string)
})

test('the router’s pages are found, each with what stands around it', () => {
  expect(pages).toContainEqual({
    path: '/events/$eventId/chat',
    modules: ['./shell.tsx', '../chats/chats-layout.tsx', '../chats/chat-page.tsx'],
  })
  expect(pages).toContainEqual({
    path: '/events/$eventId/photos/$photoId',
    modules: ['./shell.tsx', '../gallery/gallery-page.tsx', '../gallery/photo-page.tsx'],
  })
})

test.each(pages.map(({ path }) => path))('%s as the first page takes at most 130 KB of JavaScript', path => {
  const files = [...first, ...(ahead.pages[path] ?? []).filter(file => file.endsWith('.js'))]
  expect(files.length).toBeGreaterThan(5)
  const within = gzipSync(ahead.early).length / 1024
  expect(files.reduce((sum, file) => sum + kilobytesOf(file), within)).toBeLessThanOrEqual(130)
})

test.each(pages.map(({ path }) => path))('%s comes in at most 20 files', path => {
  // On six connections of HTTP/1.1 each further six are a turn more.
  expect([...first, ...(ahead.pages[path] ?? [])].length).toBeLessThanOrEqual(20)
})

test('the words of every language are a file of their own of at most 13 KB', () => {
  const languages = readdirSync(join(import.meta.dirname, '../src/words')).map(name => name.replace('.json', ''))
  expect(Object.keys(ahead.words).sort()).toEqual(languages.sort())
  for (const file of Object.values(ahead.words)) expect(kilobytesOf(file)).toBeLessThanOrEqual(13)
})
