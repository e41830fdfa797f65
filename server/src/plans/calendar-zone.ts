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

const years = new Map<string, string[]>()
const yearsKept = 500

/** What the zone keeps at the beginning of a year, and its changes in it. */
const observancesOf = (zone: string, year: number): string[] => {
  const key = `${zone} ${year}`
  const known = years.get(key)
  if (known) return known
  const starts = startOf(year)
  const begins = aheadMs(zone, starts)
  const changes = changesIn(zone, year)
  const standard = Math.min(begins, ...changes.map(({ to }) => to))
  const lines = [{ at: starts, from: begins, to: begins }, ...changes].flatMap(({ at, from, to }) => {
    const name = to > standard ? 'DAYLIGHT' : 'STANDARD'
    return [
      `BEGIN:${name}`,
      `DTSTART:${clockText(at + from)}`,
      `TZOFFSETFROM:${offsetText(from)}`,
      `TZOFFSETTO:${offsetText(to)}`,
      `END:${name}`,
    ]
  })
  if (years.size >= yearsKept) years.clear()
  years.set(key, lines)
  return lines
}

/** The zone's rules in these years of UTC. */
export const zoneLines = (zone: string, inYears: Iterable<number>): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  ...[...new Set(inYears)].sort((one, other) => one - other).flatMap(year => observancesOf(zone, year)),
  'END:VTIMEZONE',
]

/** `20260620T190000`: what a clock shows, given as if it were UTC. */
export const clockText = (clock: number) => new Date(clock).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')

const offsetText = (ms: number) => {
  const seconds = Math.abs(ms) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours, minutes, rest] = parts.map(part => String(part).padStart(2, '0'))
  return `${ms < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`
}

/** Whether a zone's clock tells this moment and no other: of an hour that it shows twice, parsers take either. */
export const isTold = (zone: string, at: number): boolean => {
  const [before, now, after] = [aheadMs(zone, at - dayMs), aheadMs(zone, at), aheadMs(zone, at + dayMs)]
  const twinBefore = before > now && aheadMs(zone, at - (before - now)) === before
  const twinAfter = now > after && aheadMs(zone, at + (now - after)) === after
  return !twinBefore && !twinAfter
}
