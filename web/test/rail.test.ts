import { expect, test } from 'vitest'
import { marksOf } from '../src/gallery/timeline/timeline.ts'

test('days and hours begin after the photos that precede them', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 5, day, hour, minute).toISOString()
  const quarter = (quarter_starts_at: string, quarter_photos_count: number) => ({
    quarter_starts_at,
    quarter_photos_count,
  })
  const quarters = [
    quarter(at(20, 23, 45), 5),
    quarter(at(21, 20), 2),
    quarter(at(21, 20, 30), 3),
    quarter(at(21, 21), 7),
  ]
  const told = (newest: boolean) =>
    marksOf(quarters, newest).map(mark => [new Date(mark.at).getHours(), mark.hour, mark.offset, mark.count])
  expect(told(false)).toEqual([
    [23, false, 0, 5],
    [20, false, 5, 12],
    [21, true, 10, 7],
  ])
  expect(told(true)).toEqual([
    [21, false, 0, 12],
    [20, true, 7, 5],
    [23, false, 12, 5],
  ])
})
