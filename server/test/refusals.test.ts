import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { operations } from '@afterglow/contract/operations'
import { streams } from '@afterglow/contract/streams'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src/', import.meta.url))

test('the service can return every refusal that the contract documents', async () => {
  const files = (await readdir(source, { recursive: true })).filter(name => /(?<!\.test)\.ts$/.test(name))
  const texts = await Promise.all(files.map(name => readFile(source + name, 'utf8')))
  const given = new Set(texts.flatMap(text => [...text.matchAll(/'([a-z][A-Za-z]+)'/g)].map(([, word]) => word)))
  const documented = new Set([...operations, ...streams].flatMap(({ refusals }) => Object.keys(refusals)))
  expect([...documented].filter(code => !given.has(code))).toEqual([])
})
