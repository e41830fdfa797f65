import { aheadMs } from '../events/local-time.ts'

/* A time zone's own rules, as this runtime knows them, in the words of RFC 5545. */

const dayMs = 24 * 60 * 60 * 1000

type Change = { at: number; from: number; to: number }

/** When the zone's clocks change in a year of UTC, oldest first. Two changes within ten days are taken for one. */
const changesIn = (zone: string, year: number): Change[] => {
  const ends = startOf(year + 1)
  const changes: Change[] = []
  for (let at = startOf(year); at < ends; at += 10 * dayMs) {
    const [from, to] = [aheadMs(zone, at), aheadMs(zone, Math.min(at + 10 * dayMs, ends))]
    if (from !== to) changes.push({ at: changeBetween(zone, at, at + 10 * dayMs), from, to })
  }
  return changes
}

const changeBetween = (zone: string, before: number, after: number): number => {
  const from = aheadMs(zone, before)
  let [low, high] = [before, after]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (aheadMs(zone, middle) === from) low = middle
    else high = middle
  }
  return high
}

const startOf = (year: number) => new Date(0).setUTCFullYear(year, 0, 1)

const kept = new Map<string, string[]>()
const keptMost = 500

/** The zone's rules in these years of UTC, kept for the next calendar. */
export const zoneLines = (zone: string, inYears: Iterable<number>): string[] => {
  const years = [...new Set(inYears)].sort((one, other) => one - other)
  const key = `${zone} ${years}`
  const known = kept.get(key)
  if (known) return known
  const rules = yearlyPair(zone, years) ?? years.flatMap(year => observancesOf(zone, year))
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...rules, 'END:VTIMEZONE']
  if (kept.size >= keptMost) kept.clear()
  kept.set(key, lines)
  return lines
}

/**
 * A rule for each of two changes that come every year on the same weekday of the month: Outlook understands no list of
 * single changes. Undefined if the zone keeps no such pair in all of these years.
 */
const yearlyPair = (zone: string, years: readonly number[]): string[] | undefined => {
  const [first = 0, last = 0] = [years[0], years.at(-1)]
  const span = Array.from({ length: last - first + 1 }, (_, after) => changesIn(zone, first + after))
  if (span.some(({ length }) => length !== 2)) return undefined
  const pair = [0, 1].map(which => span.map(changes => changes[which] as Change))
  const lines = pair.map(changes => {
    const [begins] = changes as [Change, ...Change[]]
    const rule = sharedRule(changes)
    return rule && observance(begins, begins.to > begins.from ? 'DAYLIGHT' : 'STANDARD', [`RRULE:FREQ=YEARLY;${rule}`])
  })
  return lines.includes(undefined) ? undefined : lines.flatMap(each => each ?? [])
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** `BYMONTH=3;BYDAY=-1SU`, if that is so of each of the changes, at the same time of day. */
const sharedRule = (changes: readonly Change[]): string | undefined => {
  const days = changes.map(({ at, from, to }) => {
    const clock = new Date(at + from)
    const [day, month] = [clock.getUTCDate(), clock.getUTCMonth() + 1]
    const isLast = day + 7 > new Date(Date.UTC(clock.getUTCFullYear(), month, 0)).getUTCDate()
    const sameness = [month, clock.getUTCDay(), clock.toISOString().slice(11, 19), from, to].join(' ')
    return { sameness, month, weekday: weekdays[clock.getUTCDay()], nth: Math.ceil(day / 7), isLast }
  })
  const [{ sameness, month, weekday, nth }] = days as [(typeof days)[number], ...typeof days]
  if (days.some(each => each.sameness !== sameness)) return undefined
  const week = days.every(each => each.isLast) ? -1 : days.every(each => each.nth === nth) ? nth : undefined
  return week === undefined ? undefined : `BYMONTH=${month};BYDAY=${week}${weekday}`
}

/** The zone's offset at the beginning of a year, and its changes in it. */
const observancesOf = (zone: string, year: number): string[] => {
  const starts = startOf(year)
  const begins = aheadMs(zone, starts)
  const changes = changesIn(zone, year)
  const standard = Math.min(begins, ...changes.map(({ to }) => to))
  return [{ at: starts, from: begins, to: begins }, ...changes].flatMap(change =>
    observance(change, change.to > standard ? 'DAYLIGHT' : 'STANDARD'),
  )
}

const observance = ({ at, from, to }: Change, name: 'DAYLIGHT' | 'STANDARD', rules: readonly string[] = []) => [
  `BEGIN:${name}`,
  `DTSTART:${clockText(at + from)}`,
  ...rules,
  `TZOFFSETFROM:${offsetText(from)}`,
  `TZOFFSETTO:${offsetText(to)}`,
  `END:${name}`,
]

/** `20260620T190000`: what a clock shows, given as if it were UTC. */
export const clockText = (clock: number) => new Date(clock).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

const offsetText = (ms: number) => {
  const seconds = Math.abs(ms) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours, minutes, rest] = parts.map(part => String(part).padStart(2, '0'))
  return `${ms < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`
}

/** False for an hour that the zone's clock shows twice: of that, parsers take either. */
export const isUnambiguous = (zone: string, at: number): boolean => {
  const [before, now, after] = [aheadMs(zone, at - dayMs), aheadMs(zone, at), aheadMs(zone, at + dayMs)]
  const twinBefore = before > now && aheadMs(zone, at - (before - now)) === before
  const twinAfter = now > after && aheadMs(zone, at + (now - after)) === after
  return !twinBefore && !twinAfter
}
