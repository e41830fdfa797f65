import { expect, test } from 'vitest'
import { gatherMsAfter } from './relay.ts'

test('in rooms of up to three hundred nobody waits for others, and nowhere longer than 5 ms', () => {
  expect([0, 1, 300, 334, 1000, 5000, 1_000_000].map(gatherMsAfter)).toEqual([0, 0, 0, 1, 3, 5, 5])
})
