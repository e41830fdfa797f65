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

const formatOf = (locale: Locale, timeZone: string, length: 'short' | 'long') => {
  const key = `${locale} ${timeZone} ${length}`
  let format = formats.get(key)
  if (!format) {
    if (formats.size >= formatsMax) formats.clear()
    format = new Intl.DateTimeFormat(locale, {
      weekday: length,
      day: 'numeric',
      month: length,
      ...(length === 'long' && { year: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zoneHere(timeZone),
    })
    formats.set(key, format)
  }
  return format
}

/** Day and time, as within a sentence. */
export const momentIn = (locale: Locale, at: Date, timeZone: string): Phrase => ({
  phrase: formatOf(inRegion(locale, timeZone), timeZone, 'short').format(at),
})

/** When something takes place, with its year; what its beginning and end share is written once. */
export const occasionIn = (
  locale: Locale,
  { startsAt, endsAt, timeZone }: { startsAt: Date; endsAt: Date | null; timeZone: string },
): string => {
  const format = formatOf(inRegion(locale, timeZone), timeZone, 'long')
  return endsAt ? format.formatRange(startsAt, endsAt) : format.format(startsAt)
}
