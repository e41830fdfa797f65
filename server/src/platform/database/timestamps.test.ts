import pg from 'pg'
import { expect, test } from 'vitest'
import { parseTimestamp } from './timestamps.ts'

const pgs = pg.types.getTypeParser(1184) as (text: string) => Date

test.each([
  '2026-11-22 13:30:00+00',
  '2026-11-22 13:30:59.5+00',
  '2026-02-28 00:00:00.120+00',
  '2026-12-31 23:59:59.999999+00',
  '2026-12-31 23:59:59.000001+00',
  '1969-12-31 23:59:59.999+00',
  '2026-11-22 13:30:00.123456+05:30',
  '2026-11-22 13:30:00-03',
  '0099-01-01 00:00:00+00',
  '12026-01-01 00:00:00+00',
  '0044-03-15 12:00:00+00 BC',
])('%s parses to the same moment as in pg', text => {
  expect(parseTimestamp(text)).toEqual(pgs(text))
})

test('a value that is no moment stays as pg parses it', () => {
  expect(parseTimestamp('infinity')).toBe(pgs('infinity'))
})
