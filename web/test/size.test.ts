import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { builtClient, readyClient } from './client.ts'

type Built = Record<string, { file: string; imports?: string[] }>

/** Everything that must have arrived before a page can be drawn. */
const filesOf = (built: Built, entries: string[]) => {
  const seen = new Set<string>()
  const add = (key: string) => {
    const entry = built[key]
    if (!entry) throw new Error(`${key} is not in the build`)
    if (seen.has(key)) return
    seen.add(key)
    for (const each of entry.imports ?? []) add(each)
  }
  for (const entry of entries) add(entry)
  return [...seen].map(key => built[key]?.file ?? '').filter(file => file.endsWith('.js'))
}
const kilobytes = (file: string) => {
  const path = join(builtClient, file)
  const sent = statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path)
  return sent.size / 1024
}

let built: Built
beforeAll(async () => {
  await readyClient()
  built = JSON.parse(readFileSync(join(builtClient, 'files.json'), 'utf8'))
})

test.each([
  ['signing in', 130, ['src/accounts/front-page.tsx', 'src/accounts/sign-in-page.tsx']],
  ['joining by a code', 130, ['src/events/join-page.tsx']],
  ['the list of events', 146, ['src/app/shell.tsx', 'src/events/events-layout.tsx', 'src/events/no-event.tsx']],
  ['a gallery', 157, ['src/app/shell.tsx', 'src/gallery/gallery-page.tsx']],
  ['a chat', 217, ['src/app/shell.tsx', 'src/chats/chats-layout.tsx', 'src/chats/chat-page.tsx']],
])('%s takes at most %i KB of JavaScript, compressed', (_, most, pages) => {
  const files = filesOf(built, ['index.html', ...pages])
  const sum = files.reduce((sum, file) => sum + kilobytes(file), 0)
  expect(sum).toBeLessThanOrEqual(most)
})
