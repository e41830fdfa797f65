import { setImmediate } from 'node:timers/promises'
import { openEndHours } from '@afterglow/contract/limits'
import { aheadMs } from '../events/local-time.ts'
import { clockText, isUnambiguous, zoneLines } from './calendar-zone.ts'

/* Events as a calendar's file (RFC 5545). */

export type CalendarEvent = {
  id: number
  name: string
  description: string | null
  location: string | null
  startsAt: Date
  endsAt: Date | null
  timezone: string
  cancelled: boolean
  /** Nobody knows yet whether they come. */
  tentative: boolean
  /** Rises with every change. */
  revision: number
  createdAt: Date
  updatedAt: Date
  /** Where the event is on this service. */
  url: string
}

/** Whole calendars are asked for again every hour. */
const refreshed = [
  'NAME:Afterglow',
  'X-WR-CALNAME:Afterglow',
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
]

type Calendar = { events: readonly CalendarEvent[]; subscribed: boolean }

/** In pieces, each of which is made within a millisecond or two. */
function* piecesOf({ events, subscribed }: Calendar): Generator<string> {
  const zones = Map.groupBy(
    events.filter(({ timezone }) => !isUtc(timezone)),
    ({ timezone }) => timezone,
  )
  yield written([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Afterglow//Afterglow//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(subscribed ? refreshed : []),
  ])
  for (const [zone, inZone] of zones) yield written(zoneLines(zone, inZone.flatMap(yearsOf)))
  for (const event of events) yield written(eventLines(event))
  yield written(['END:VCALENDAR'])
}

const turnMs = 4

/** Others have their turn between the pieces. */
export const calendarFile = async (calendar: Calendar): Promise<string> => {
  let file = ''
  let began = performance.now()
  for (const piece of piecesOf(calendar)) {
    file += piece
    if (performance.now() - began < turnMs) continue
    await setImmediate()
    began = performance.now()
  }
  return file
}

const written = (lines: readonly string[]) => lines.map(line => `${fold(line)}\r\n`).join('')

const isUtc = (zone: string) => /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)$/i.test(zone)

/** The years that a zone's rules must cover; the clock of its first day may still show the year before. */
const yearsOf = (event: CalendarEvent) =>
  [event.startsAt, endOf(event)].flatMap(at => [at.getUTCFullYear() - 1, at.getUTCFullYear()]).filter(year => year > 0)

/** An open end has one too, or calendars would show an entry without any length. */
const endOf = ({ startsAt, endsAt }: CalendarEvent) =>
  endsAt ?? new Date(startsAt.getTime() + openEndHours * 60 * 60_000)

const eventLines = (event: CalendarEvent) => [
  'BEGIN:VEVENT',
  // The same wherever it is asked for, so that a change takes the place of what was there.
  `UID:event-${event.id}-${event.createdAt.getTime()}@afterglow`,
  `SEQUENCE:${event.revision}`,
  `DTSTAMP:${utcText(event.updatedAt)}`,
  `LAST-MODIFIED:${utcText(event.updatedAt)}`,
  `CREATED:${utcText(event.createdAt)}`,
  timeLine('DTSTART', event.startsAt, event.timezone),
  timeLine('DTEND', endOf(event), event.timezone),
  `SUMMARY:${escaped(event.name)}`,
  ...(event.location ? [`LOCATION:${escaped(event.location)}`] : []),
  `DESCRIPTION:${escaped([shortened(event.description), event.url].filter(Boolean).join('\n\n'))}`,
  `URL:${event.url}`,
  `STATUS:${event.cancelled ? 'CANCELLED' : event.tentative ? 'TENTATIVE' : 'CONFIRMED'}`,
  'END:VEVENT',
]

const descriptionLengthMax = 1000

const shortened = (text: string | null) => {
  if (text === null || text.length <= descriptionLengthMax) return text
  const cut = text.slice(0, descriptionLengthMax).replace(/[\ud800-\udbff]$/, '')
  return `${cut.trimEnd()}…`
}

const utcText = (at: Date) => `${clockText(at.getTime())}Z`

/** In the venue's own time, unless that would name another moment. */
const timeLine = (name: string, at: Date, zone: string) => {
  const clock = at.getTime() + aheadMs(zone, at.getTime())
  const year = new Date(clock).getUTCFullYear()
  if (isUtc(zone) || year < 1 || year > 9999 || !isUnambiguous(zone, at.getTime())) return `${name}:${utcText(at)}`
  return `${name};TZID=${zone}:${clockText(clock)}`
}

const escaped = (text: string) =>
  text
    // Some parsers end a line at any of these.
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the format does not allow.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)

const lineBytesMax = 75

/** No line is longer than 75 bytes, and none is cut within a character. */
const fold = (line: string) => {
  const bytes = Buffer.from(line)
  if (bytes.length <= lineBytesMax) return line
  const folded: string[] = []
  for (let at = 0; at < bytes.length; ) {
    // Folded lines begin with a space.
    let end = Math.min(at + lineBytesMax - (at === 0 ? 0 : 1), bytes.length)
    while (end < bytes.length && isWithinCharacter(bytes[end])) end -= 1
    folded.push(bytes.toString('utf8', at, end))
    at = end
  }
  return folded.join('\r\n ')
}

const isWithinCharacter = (byte = 0) => (byte & 0xc0) === 0x80
