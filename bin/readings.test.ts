import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../docs')
const rows = readFileSync(join(docs, 'readings.md'), 'utf8')
  .split('\n')
  .filter(line => /^\| (?!Open or|---)/.test(line))

test('each reading of the documented interface names the test that holds it', () => {
  expect(rows.length).toBeGreaterThan(50)
  const held = (row: string) => /\]\(\.\.\/|the same \|$/.test(row)
  expect(rows.filter(row => !held(row))).toEqual([])
})

test('each of these tests exists', () => {
  const links = rows.flatMap(row => [...row.matchAll(/\]\((\.\.\/[^)]+)\)/g)].map(([, link]) => link as string))
  expect(links.filter(link => !existsSync(join(docs, link)))).toEqual([])
})
