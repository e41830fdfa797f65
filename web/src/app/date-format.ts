import { onClock } from './time-zones.ts'
import { speech } from './words.ts'

/*
 * Dates and times in the chosen language, in the reader's time zone by default. None of them throws: an invalid date
 * becomes a dash, and everything beside it stays readable.
 */

const formats = new Map<string, Intl.DateTimeFormat>()
const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${speech.get().locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(speech.get().locale, options)
  formats.set(key, made)
  return made
}

type Moment = string | Date
/** There is no line break within “9:00 PM” or “21:00 Uhr”. */
const written = (options: Intl.DateTimeFormatOptions, moment: Moment) => {
  const { at, timeZone } = onClock(moment, options.timeZone)
  if (!isMoment(at)) return noMoment
  const words = format({ ...options, timeZone }).format(at)
  return words.replace(/\s(?=[ap]\.?\s?m\b|Uhr|[صم](?:\s|$))/gi, '\u00a0')
}
const isMoment = (at: Date) => !Number.isNaN(at.getTime())
const noMoment = '–'
const longDay = { weekday: 'long', day: 'numeric', month: 'long' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const

export const timeOf = (moment: Moment, timeZone?: string) => written({ ...time, timeZone }, moment)

/** “9 PM”; in languages that write the hour as a bare number, “21:00”. */
export const hourOf = (moment: string) => {
  const hour = written({ hour: 'numeric' }, moment)
  return hour === noMoment || /[^\d\u0660-\u0669]/.test(hour) ? hour : `${hour}:00`
}

export const dayOf = (moment: Moment, timeZone?: string) =>
  written({ weekday: 'short', day: 'numeric', month: 'short', timeZone, ...yearOf(moment) }, moment)

export const weekdayOf = (moment: Moment) => written({ weekday: 'long' }, moment)

export const longDayOf = (moment: Moment, timeZone?: string) =>
  written({ ...longDay, timeZone, ...yearOf(moment) }, moment)

const eveningMs = 18 * 60 * 60_000

/** “Wed 2 Dec · 21:00–03:00”: an end is written with its day only if it is not that of the same evening. */
export const spanOf = (start: string, end: string | null, timeZone: string) => {
  const at = (moment: string) => `${raised(dayOf(moment, timeZone))} · ${timeOf(moment, timeZone)}`
  const lasts = new Date(end ?? '').getTime() - new Date(start).getTime()
  if (!isMoment(new Date(start))) return noMoment
  if (!end || !(lasts > 0)) return at(start)
  return lasts < eveningMs ? `${at(start)}–${timeOf(end, timeZone)}` : `${at(start)} – ${at(end)}`
}

/** Capitalizes the start of a line, for languages that write weekdays in lower case. */
export const raised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

export const monthShortOf = (moment: string, timeZone: string) => written({ month: 'short', timeZone }, moment)
export const dayNumberOf = (moment: string, timeZone: string) => written({ day: 'numeric', timeZone }, moment)

const yearOf = (moment: string | Date): Intl.DateTimeFormatOptions =>
  new Date(moment).getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }

const dayMs = 24 * 60 * 60_000
const midnight = (moment: Date) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()
/** Whole days before today, by the calendar. */
export const daysAgo = (moment: string | Date) =>
  Math.round((midnight(new Date()) - midnight(new Date(moment))) / dayMs)

/** “today”, “yesterday”, or the day. */
export const nearDayOf = (moment: string | Date): string => {
  const days = daysAgo(moment)
  if (days !== 0 && days !== 1) return dayOf(moment)
  return new Intl.RelativeTimeFormat(speech.get().locale, { numeric: 'auto' }).format(-days, 'day')
}

/** The time for today, otherwise the day: for lists. */
export const briefly = (moment: string): string => (daysAgo(moment) === 0 ? timeOf(moment) : raised(nearDayOf(moment)))

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
]
/** “5 minutes ago”; on a device whose clock is slow, past events must not be “in an hour”. */
export const ago = (moment: string): string => {
  const past = Math.min(0, new Date(moment).getTime() - Date.now())
  if (Number.isNaN(past)) return noMoment
  const relative = new Intl.RelativeTimeFormat(speech.get().locale, { numeric: 'auto', style: 'short' })
  for (const [unit, ms] of steps) if (Math.abs(past) >= ms) return relative.format(Math.round(past / ms), unit)
  return relative.format(0, 'second')
}

/** “in 3 days”, “tomorrow”, “in 5 hours”; “now” for a past moment. */
export const until = (moment: string): string => {
  const left = Math.max(0, new Date(moment).getTime() - Date.now())
  if (Number.isNaN(left)) return noMoment
  const relative = new Intl.RelativeTimeFormat(speech.get().locale, { numeric: 'auto' })
  if (left >= dayMs) return raised(relative.format(-daysAgo(moment), 'day'))
  for (const [unit, ms] of steps) if (left >= ms) return raised(relative.format(Math.ceil(left / ms), unit))
  return raised(relative.format(0, 'second'))
}

export const count = (number: number) => speech.get().number.format(number)
