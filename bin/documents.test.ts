import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusalDocuments } from './refusal-pages.ts'
import { sdkDocuments } from './sdk-comments.ts'

const folder = join(import.meta.dirname, '../docs/refusals')

test('each code has a page that says what the contract says: `npm run documents` renews them', async () => {
  const documents = refusalDocuments()
  expect((await readdir(folder)).sort()).toEqual([...documents.keys()].sort())
  for (const [name, text] of documents) expect(await readFile(join(folder, name), 'utf8')).toBe(text)
})

test('no page is of a code that nothing can answer', () => {
  for (const [name, text] of refusalDocuments())
    expect([name, /^(?:Status )?\d{3}\b/m.test(text) || name === 'README.md']).toEqual([name, true])
})

test('an editor shows of the SDK what the contract says: `npm run documents` renews it', async () => {
  const sdk = join(import.meta.dirname, '../sdk/src')
  const documents = await sdkDocuments()
  expect([...documents.keys()]).toEqual(expect.arrayContaining(['chats.ts', 'gallery.ts', 'resources.ts']))
  for (const [name, text] of documents) expect(await readFile(join(sdk, name), 'utf8')).toBe(text)
})
