import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { steps } from './parts/crash-steps.ts'
import { moveSteps } from './parts/storage-move.ts'
import { parts } from './parts.ts'
import { plantedBugs } from './planted-bugs.ts'

const root = new URL('../../', import.meta.url)
const timesIn = (file: string, text: string) => readFileSync(new URL(file, root), 'utf8').split(text).length - 1

test('every planted bug changes the sources as they are, and names a part that finds it', () => {
  for (const { name, foundBy, edits } of plantedBugs) {
    for (const { file, from, to } of edits) {
      expect(timesIn(file, from), `${name}, in ${file}`).toBe(1)
      expect(to).not.toBe(from)
    }
    expect(parts.map(part => part.name)).toContain(foundBy)
  }
  expect(plantedBugs.length).toBeGreaterThanOrEqual(25)
})

test('every step at which a program dies occurs once in the sources', () => {
  for (const { name, file, at } of [...steps, ...moveSteps]) expect(timesIn(`server/src/${file}`, at), name).toBe(1)
})

test('no planted bug or step matches a comment, which may be rewritten at any time', () => {
  const found = [
    ...[...steps, ...moveSteps].map(({ at }) => at),
    ...plantedBugs.flatMap(({ edits }) => edits.map(({ from }) => from)),
  ]
  for (const text of found) expect(text).not.toMatch(/(^|\s)(\/\/|\/\*|--) /)
})
