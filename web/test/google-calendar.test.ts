import { expect, test } from 'vitest'
import { googleCalendar, type Planned } from '../src/plans/google-calendar.ts'

const url = 'https://party.example/events/1'
const linkTo = (fields: Partial<Planned>) =>
  googleCalendar({
    event_name: 'Midsummer',
    event_starts_at: '2026-06-20T17:00:00.000Z',
    event_ends_at: null,
    event_timezone: 'Europe/Berlin',
    url,
    ...fields,
  })
const read = (link: string) => Object.fromEntries(new URL(link).searchParams)

test('a link to Google Calendar gives an open end three hours', () => {
  expect(read(linkTo({}))).toMatchObject({ dates: '20260620T170000Z/20260620T200000Z', details: url })
})

test.each([
  ['a long description', { event_description: 'An evening by the lake. '.repeat(200) }],
  ['a long description in Arabic', { event_description: 'أمسية عند البحيرة '.repeat(300) }],
  ['a long place', { event_location: 'الطريق '.repeat(36), event_description: '🎉'.repeat(500) }],
])('%s makes no link longer than 2,000 characters, nor one without its address', (_, fields) => {
  const link = linkTo(fields)
  expect(link.length).toBeLessThanOrEqual(2000)
  const { details = '', text } = read(link)
  expect(details.endsWith(url)).toBe(true)
  expect(details).not.toContain('\ufffd')
  expect(text).toBe('Midsummer')
})
