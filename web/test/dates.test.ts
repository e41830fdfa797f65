import { beforeAll, describe, expect, test } from 'vitest'
import {
  ago,
  briefly,
  dayNumberOf,
  dayOf,
  hourOf,
  longDayOf,
  monthShortOf,
  nearDayOf,
  spanOf,
  timeOf,
} from '../src/app/date-format.ts'
import { asMeant } from '../src/app/router/copied-link.ts'
import { momentOf, wallTime, zoneOr } from '../src/app/time-zones.ts'
import { speak } from '../src/app/words.ts'

const moment = '2026-12-07T18:00:00.000Z'

// Resets the language that another file of this worker may have set.
beforeAll(() => speak('en', {}))

test('a place with an unknown time zone uses its offset from UTC, and otherwise UTC', () => {
  expect(zoneOr('Europe/Madrid', '+01:00')).toBe('Europe/Madrid')
  expect(zoneOr('Mars/Base', '-03:00')).toBe('-03:00')
  expect(zoneOr('Mars/Base', undefined)).toBe('Mars/Base')
  const times = ['+02:00', '-03:30', '+0545', '-03', 'Mars/Base', 'Etc/Unknown', ''].map(zone => wallTime(moment, zone))
  expect(times).toEqual([
    '2026-12-07T20:00',
    '2026-12-07T14:30',
    '2026-12-07T23:45',
    '2026-12-07T15:00',
    '2026-12-07T18:00',
    '2026-12-07T18:00',
    '2026-12-07T18:00',
  ])
  for (const zone of ['+02:00', '-03:30', 'Mars/Base', 'Europe/Madrid'])
    expect(momentOf(wallTime(moment, zone), zone).toISOString()).toBe(moment)
  expect(timeOf(moment, '+05:30')).toBe('11:30\u00a0PM')
  expect(dayNumberOf('2026-12-07T23:00:00.000Z', '+02:00')).toBe('8')
  expect(spanOf(moment, '2026-12-07T22:00:00.000Z', '+02:00')).toMatch(/^Mon, Dec 7 · 8:00\sPM–12:00\sAM$/)
})

test('an invalid time is a dash, and an end before its start is left out', () => {
  for (const none of ['', 'tomorrow', '2026-99-99T00:00:00Z', undefined as unknown as string]) {
    for (const write of [timeOf, hourOf, dayOf, longDayOf, nearDayOf, briefly, ago])
      expect([write.name, write(none)]).toEqual([write.name, '–'])
    expect([monthShortOf(none, 'UTC'), dayNumberOf(none, 'UTC'), spanOf(none, null, 'UTC')]).toEqual(['–', '–', '–'])
    expect(wallTime(none, 'UTC')).toBe('')
    expect(spanOf(moment, none, 'UTC')).toBe(spanOf(moment, null, 'UTC'))
  }
  expect(spanOf(moment, '2026-12-01T00:00:00.000Z', 'UTC')).toBe(spanOf(moment, null, 'UTC'))
})

describe('a link copied with trailing characters', () => {
  const at = (href: string) => {
    const { path, search, hash } = asMeant(new URL(href, 'https://party.example'))
    return path + search + hash
  }
  test.each(['.', ')', ').', ',', '!', '\u200b', '\u2060', '\u00a0', '%20', '”', '»', '…', '。', '>', '*', '\u200e)'])(
    '(%j) is the link',
    behind => {
      expect(at(`/j/abc_-9${behind}`)).toBe('/j/abc_-9')
      expect(at(`/events/7${behind}`)).toBe('/events/7')
      expect(at(`/events/7/chat?message=9${behind}`)).toBe('/events/7/chat?message=9')
      expect(at(`/transfer#code=ab-_9${behind}`)).toBe('/transfer#code=ab-_9')
    },
  )
  test('leaves a clean link unchanged', () => {
    for (const href of ['/', '/j/abc-', '/j/abc_', '/people/7', '/sign-in?next=%2Fevents%2F7', '/j/%E0%A4%A'])
      expect(at(href)).toBe(href)
  })
})
