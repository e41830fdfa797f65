import { expect, test } from 'vitest'
import { gatherMsAfter } from './relay.ts'

test('in rooms of fewer than a hundred nobody waits for others, and nowhere longer than 5 ms', () => {
  expect([0, 1, 99, 100, 334, 500, 5000, 1_000_000].map(gatherMsAfter)).toEqual([0, 0, 0, 1, 3, 5, 5, 5])
})
