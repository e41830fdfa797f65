import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { printQueries, queriesFolder } from './queries.ts'

test('server/queries shows the statements as they run: `npm run queries` renews them', async () => {
  const printed = await printQueries()
  const kept = new Map<string, string>()
  for await (const file of glob('**/*.sql', { cwd: queriesFolder }))
    kept.set(file, await readFile(queriesFolder + file, 'utf8'))
  expect([...kept.keys()].sort()).toEqual([...printed.keys()].sort())
  for (const [file, text] of printed) expect.soft(kept.get(file), file).toBe(text)
})
