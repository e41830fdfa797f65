import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusalDocument } from './refusal-pages.ts'
import { sdkDocuments } from './sdk-operations.ts'

test('the page of refusals matches the contract: `npm run documents` renews it', async () => {
  expect(await readFile(join(import.meta.dirname, '../docs/refusals.md'), 'utf8')).toBe(refusalDocument())
})

test('the documents contain no code that nothing can answer', () => {
  for (const section of refusalDocument().split(/^## /m).slice(1))
    expect([section.split('\n', 1)[0], /^\d{3}\b/m.test(section)]).toEqual([section.split('\n', 1)[0], true])
})

test('the SDK has every operation of the contract: `npm run documents` renews it', async () => {
  const sdk = join(import.meta.dirname, '../sdk/src')
  const documents = await sdkDocuments()
  expect([...documents.keys()]).toEqual(
    expect.arrayContaining(['operations/chats.ts', 'operations/slices.ts', 'resources.ts']),
  )
  for (const [name, text] of documents) expect(await readFile(join(sdk, name), 'utf8')).toBe(text)
})
