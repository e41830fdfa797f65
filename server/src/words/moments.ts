import type { Locale } from '@afterglow/contract/languages'
import { zoneHere } from '@afterglow/contract/zones'
import type { Phrase } from './words.ts'

/* How the service writes days and times to people, in their region and a time zone. */

const american = /^(?:America|US)\/|^Pacific\/Honolulu$/

/** English without a region is written as in Britain, like most of the world does, except in a time zone of America. */
export const inRegion = (locale: Locale, timeZone: string): Locale =>
  locale === 'en' ? (american.test(timeZone) ? 'en-US' : 'en-GB') : locale

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMax = 1000

const parts = {
  moment: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayAndYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formatOf = (locale: Locale, timeZone: string, part: keyof typeof parts) => {
  const key = `${locale} ${timeZone} ${part}`
  let format = formats.get(key)
  if (!format) {
    if (formats.size >= formatsMax) formats.clear()
    format = new Intl.DateTimeFormat(locale, { ...parts[part], timeZone: zoneHere(timeZone) })
    formats.set(key, format)
  }
  return format
}

/** Day and time, as within a sentence. */
export const momentIn = (locale: Locale, at: Date, timeZone: string): Phrase => ({
  phrase: formatOf(inRegion(locale, timeZone), timeZone, 'moment').format(at),
})

const eveningMs = 18 * 60 * 60_000

/**
 * When something takes place, as the client says it: “Wed 2 Dec · 21:00–03:00”. An end is written with its day only if
 * it is not that of the same evening, and a year if it is another one.
 */
export const occasionIn = (
  locale: Locale,
  { startsAt, endsAt, timeZone }: { startsAt: Date; endsAt: Date | null; timeZone: string },
  now = new Date(),
): string => {
  const written = (part: keyof typeof parts, at: Date) =>
    formatOf(inRegion(locale, timeZone), timeZone, part).format(at)
  const at = (moment: Date) => {
    const day = written(moment.getFullYear() === now.getFullYear() ? 'day' : 'dayAndYear', moment)
    return `${day.charAt(0).toUpperCase()}${day.slice(1)} · ${written('time', moment)}`
  }
  if (!endsAt) return at(startsAt)
  const isOneEvening = endsAt.getTime() - startsAt.getTime() < eveningMs
  return isOneEvening ? `${at(startsAt)}–${written('time', endsAt)}` : `${at(startsAt)} – ${at(endsAt)}`
}
