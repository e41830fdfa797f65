import { speech } from './words.ts'

/* Dates and times in the words of the chosen language, in the reader's time zone unless another is said. */

const formats = new Map<string, Intl.DateTimeFormat>()
const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${speech.get().language} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(speech.get().language, options)
  formats.set(key, made)
  return made
}

/** No line ends within it. */
const unbroken = (words: string) => words.replace(/\s/g, '\u00a0')

export const timeOf = (moment: string | Date, timeZone?: string) =>
  unbroken(format({ hour: 'numeric', minute: '2-digit', ...(timeZone && { timeZone }) }).format(new Date(moment)))

/** “9 PM”; where a language says the number alone, “21:00”. */
export const hourOf = (moment: string) => {
  const hour = unbroken(format({ hour: 'numeric' }).format(new Date(moment)))
  return /\p{L}/u.test(hour) ? hour : `${hour}:00`
}

export const dayOf = (moment: string | Date, timeZone?: string) =>
  format({ weekday: 'short', day: 'numeric', month: 'short', ...(timeZone && { timeZone }), ...yearOf(moment) }).format(
    new Date(moment),
  )

export const longDayOf = (moment: string | Date, timeZone?: string) =>
  format({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(timeZone && { timeZone }),
    ...yearOf(moment),
  }).format(new Date(moment))

/** From when to when, or only when: as its language says it, with what both have in common said once. */
export const spanOf = (start: string, end: string | null, timeZone: string) => {
  const of = format({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    ...yearOf(start),
  })
  const parts = end ? of.formatRangeToParts(new Date(start), new Date(end)) : of.formatToParts(new Date(start))
  // “9:00 PM”, “21:00 Uhr”, and the dash behind either, stay in their line.
  const isBehindTime = (at: number) => /minute|dayPeriod/.test(parts[at - 1]?.type ?? '')
  const isHeld = (at: number) => isBehindTime(at) || parts[at + 1]?.type === 'dayPeriod'
  return raised(parts.map(({ value }, at) => (isHeld(at) ? value.replace(/^\s/, '\u00a0') : value)).join(''))
}

/** As a line begins, in languages that write their days small. */
export const raised = (words: string) => words.replace(/^./u, first => first.toLocaleUpperCase(speech.get().language))

export const monthShortOf = (moment: string, timeZone: string) =>
  format({ month: 'short', timeZone }).format(new Date(moment))
export const dayNumberOf = (moment: string, timeZone: string) =>
  format({ day: 'numeric', timeZone }).format(new Date(moment))

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
  if (days > 1 || days < 0) return dayOf(moment)
  return new Intl.RelativeTimeFormat(speech.get().language, { numeric: 'auto' }).format(-days, 'day')
}

/** The time today, the day before that: for lists. */
export const briefly = (moment: string): string => (daysAgo(moment) === 0 ? timeOf(moment) : raised(nearDayOf(moment)))

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
]
/** “5 minutes ago”; a device whose clock is behind must not call what has happened “in an hour”. */
export const ago = (moment: string): string => {
  const past = Math.min(0, new Date(moment).getTime() - Date.now())
  const relative = new Intl.RelativeTimeFormat(speech.get().language, { numeric: 'auto', style: 'short' })
  for (const [unit, ms] of steps) if (Math.abs(past) >= ms) return relative.format(Math.round(past / ms), unit)
  return relative.format(0, 'second')
}

export const count = (number: number) => speech.get().number.format(number)
