import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ahead } from '../build/first-pages.ts'
import { builtClient, readyClient } from './client.ts'

await readyClient()
const ahead: Ahead = JSON.parse(readFileSync(join(builtClient, 'pages.json'), 'utf8'))
const pages = Object.keys(ahead.pages)
const html = readFileSync(join(builtClient, 'index.html'), 'utf8')
/** The files that index.html itself names. */
const first = [...html.matchAll(/(?:src|href)="\.?\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file as string)

/** Gzipped, as the goal counts; browsers get Brotli, which is an eighth less. */
const kilobytesOf = (file: string) => {
  const path = join(builtClient, file)
  const sent = statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path)
  return sent.size / 1024
}

test('each page of the table is listed with its layouts', () => {
  const table = readFileSync(join(import.meta.dirname, '../src/shell/page-table.ts'), 'utf8')
  const [, inTable = ''] = /pages = table\(\{([\s\S]*?)^\}\)/m.exec(table) ?? []
  const paths = [...inTable.matchAll(/^ {2}'(\/.*?)': /gm)].map(([, path]) => path)
  expect(pages).toEqual(paths)
  expect(pages).toContain('/events/:eventId/chat')
  for (const file of ahead.pages['/events/:eventId/photos'] as string[])
    expect(ahead.pages['/events/:eventId/photos/:photoId']).toContain(file)
})

/** first-tap.full.test.ts measures the loading time; this test warns sooner when a page becomes heavy. */
test.each(pages)('%s as the first page takes at most 180 KB of JavaScript', path => {
  const files = [...first, ...(ahead.pages[path] ?? []).filter(file => file.endsWith('.js'))]
  expect(files.length).toBeGreaterThan(2)
  expect(files.reduce((sum, file) => sum + kilobytesOf(file), 0)).toBeLessThanOrEqual(180)
})

test.each(pages)('%s loads at most 24 files', path => {
  // On six connections of HTTP/1.1 every six files take another round trip.
  expect([...first, ...(ahead.pages[path] ?? [])].length).toBeLessThanOrEqual(24)
})

test('each language has a file of its own of at most 19 KB', () => {
  const languages = readdirSync(join(import.meta.dirname, '../src/words')).map(name => name.replace('.json', ''))
  expect(Object.keys(ahead.words).sort()).toEqual(languages.sort())
  for (const file of Object.values(ahead.words)) expect(kilobytesOf(file)).toBeLessThanOrEqual(19)
})
