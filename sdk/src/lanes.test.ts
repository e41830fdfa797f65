import { expect, test } from 'vitest'
import { type Lanes, lanesMax, lanesMin, openLanes } from './lanes.ts'

/** A number of measurements on a network whose speed is `rate` of the number of lanes. */
const through = (lanes: Lanes, looks: number, rate: (open: number) => number) => {
  const seen: number[] = []
  for (let look = 0; look < looks; look++) {
    lanes.passed(rate(lanes.open()))
    lanes.look()
    seen.push(lanes.open())
  }
  return seen
}

test('where each further file makes the whole faster, as many go as may', () => {
  expect(through(openLanes(), 8, open => open * 1000).at(-1)).toBe(lanesMax)
})

test('where the network is full already, two go, and a third is tried seldom', () => {
  const seen = through(openLanes(), 40, () => 1000)
  expect(seen.filter(open => open > lanesMin).length).toBeLessThan(8)
  expect(Math.max(...seen)).toBe(lanesMin + 1)
})

test('a failure makes it fewer again, but never fewer than two', () => {
  const lanes = openLanes()
  through(lanes, 8, open => open * 1000)
  for (let fault = 0; fault < 5; fault++) lanes.broke()
  expect(lanes.open()).toBe(lanesMin)
})

test('nothing is tried while nothing goes through', () => {
  expect(new Set(through(openLanes(), 10, () => 0))).toEqual(new Set([lanesMin]))
})
