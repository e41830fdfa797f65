import { expect, test } from 'vitest'
import { readCalendar } from '../../test/calendars.ts'
import { needing } from '../../test/needing.ts'
import { calendarParsers } from '../../test/tools.ts'
import { aheadMs } from '../events/local-time.ts'
import { type CalendarEvent, calendarFile } from './calendar-file.ts'

const zones = [
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'UTC',
]

const hourMs = 3_600_000
const seconds = (at: Date) => at.toISOString().replace('.000', '')

let events = 0
const event = (fields: Partial<CalendarEvent>): CalendarEvent => {
  events += 1
  return {
    id: events,
    name: 'Midsummer',
    description: null,
    location: null,
    startsAt: new Date('2026-06-20T17:00:00Z'),
    endsAt: null,
    timezone: 'Europe/Berlin',
    cancelled: false,
    tentative: false,
    revision: 0,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    url: 'https://party.example/events/1',
    ...fields,
  }
}

/** The hours of a year after which the zone's clocks show something else. */
const changes = (zone: string, year: number) => {
  const found: number[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += hourMs)
    if (aheadMs(zone, at) !== aheadMs(zone, at + hourMs)) found.push(at + hourMs)
  return found
}

needing(calendarParsers).test(
  'an event is at the same moment for every parser, on both sides of every clock change',
  async () => {
    for (const timezone of zones) {
      const turns = changes(timezone, 2026)
      if (!/Kathmandu|UTC/.test(timezone)) expect(turns.length).toBeGreaterThanOrEqual(2)
      const moments = [Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 31, 23, 59), Date.UTC(2026, 6, 1), ...turns]
      const planned = moments.flatMap(turn =>
        [-3, -2, -1, -0.75, -0.25, 0, 0.25, 0.75, 1, 2, 3].map(hours =>
          event({
            timezone,
            startsAt: new Date(turn + hours * hourMs),
            endsAt: new Date(turn + hours * hourMs + 5400_000),
          }),
        ),
      )
      const read = readCalendar(await calendarFile({ events: planned, subscribed: true }))
      expect(read.map(each => [each.DTSTART, each.DTEND])).toEqual(
        planned.map(({ startsAt, endsAt }) => [seconds(startsAt), seconds(endsAt as Date)]),
      )
    }
  },
)

needing(calendarParsers).test('years in which zones kept other rules are told by those rules', async () => {
  const planned = [1916, 1944, 1975, 2005, 2099].flatMap(year =>
    ['Europe/London', 'America/New_York'].flatMap(timezone =>
      [1, 6, 10].map(month => event({ timezone, startsAt: new Date(Date.UTC(year, month, 15, 12)) })),
    ),
  )
  expect(readCalendar(await calendarFile({ events: planned, subscribed: false })).map(each => each.DTSTART)).toEqual(
    planned.map(({ startsAt }) => seconds(startsAt)),
  )
})

needing(calendarParsers).test('words come back as they were written, however long and in whatever script', async () => {
  const words = [
    'Cake, wine; song \\ dance',
    'BEGIN:VEVENT\r\nATTENDEE:mailto:somebody@example.com',
    `${'👩‍👩‍👧‍👦🎉'.repeat(40)} end`,
    'حفلة منتصف الصيف، عند البحيرة '.repeat(8).trim(),
    'ü'.repeat(200),
  ]
  const planned = words.map(text => event({ name: text, location: text, description: text }))
  const read = readCalendar(await calendarFile({ events: planned, subscribed: false }))
  const lines = words.map(text => text.replaceAll('\r\n', '\n'))
  expect(read.map(each => each.SUMMARY)).toEqual(lines)
  expect(read.map(each => each.LOCATION)).toEqual(lines)
  expect(read.map(each => each.DESCRIPTION)).toEqual(lines.map(line => `${line}\n\nhttps://party.example/events/1`))
})

test('no control character gets into a calendar', async () => {
  const file = await calendarFile({ events: [event({ name: 'a\u0007b\u007fc\u001bd' })], subscribed: false })
  expect(file).toContain('SUMMARY:abcd\r\n')
})

test('no words begin a line of a calendar, whatever its reader takes for the end of one', async () => {
  const description = ['\r', '\n', '\u0085', '\u2028', '\u2029'].map(end => `${end}ATTENDEE:mailto:x`).join('')
  const file = await calendarFile({ events: [event({ description })], subscribed: false })
  expect(file.split(/[\r\n\u0085\u2028\u2029]+/).filter(line => line.startsWith('ATTENDEE'))).toEqual([])
})

test.each([
  ['Europe/Berlin', ['BYMONTH=3;BYDAY=-1SU', 'BYMONTH=10;BYDAY=-1SU']],
  ['America/New_York', ['BYMONTH=3;BYDAY=2SU', 'BYMONTH=11;BYDAY=1SU']],
  ['Australia/Sydney', ['BYMONTH=4;BYDAY=1SU', 'BYMONTH=10;BYDAY=1SU']],
])('the clock changes of %s are one yearly pair, as Outlook reads them', async (timezone, rules) => {
  const planned = [2026, 2028].map(year => event({ timezone, startsAt: new Date(Date.UTC(year, 5, 20, 17)) }))
  const file = await calendarFile({ events: planned, subscribed: true })
  expect([...file.matchAll(/RRULE:FREQ=YEARLY;(.*)\r/g)].map(([, rule]) => rule)).toEqual(rules)
  expect(file.match(/BEGIN:(DAYLIGHT|STANDARD)/g)).toHaveLength(2)
})

test('an open end is three hours after the beginning', async () => {
  const file = await calendarFile({ events: [event({ endsAt: null })], subscribed: false })
  expect(file).toContain('DTEND;TZID=Europe/Berlin:20260620T220000\r\n')
})

test('others have their turn while a calendar is built', async () => {
  const planned = Array.from({ length: 3000 }, (_, n) =>
    event({ description: 'é, '.repeat(1600), timezone: zones[n % zones.length] as string }),
  )
  const waits: number[] = []
  let last = performance.now()
  const ticking = setInterval(() => {
    waits.push(performance.now() - last)
    last = performance.now()
  }, 1)
  await calendarFile({ events: planned, subscribed: true })
  clearInterval(ticking)
  expect(waits.length).toBeGreaterThan(2)
})
