import { abbreviations, windows } from './zones/zone-aliases.ts'

/*
 * Time zones as devices name them. A name that every browser knows is taken as it is; offsets, abbreviations and the
 * names of Windows become one; a city that this server's list does not have yet counts as UTC.
 */

const isKnown = (zone: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Offsets without a whole number of hours, by the zone that keeps each in winter. */
const uneven: Record<string, string> = {
  '-09:30': 'Pacific/Marquesas',
  '-03:30': 'America/St_Johns',
  '-02:30': 'America/St_Johns',
  '+03:30': 'Asia/Tehran',
  '+04:30': 'Asia/Kabul',
  '+05:30': 'Asia/Kolkata',
  '+05:45': 'Asia/Kathmandu',
  '+06:30': 'Asia/Yangon',
  '+08:45': 'Australia/Eucla',
  '+09:30': 'Australia/Darwin',
  '+10:30': 'Australia/Lord_Howe',
  '+12:45': 'Pacific/Chatham',
  '+13:45': 'Pacific/Chatham',
}

const offset = /^(?:(?:GMT|UTC|UT|Z)\s?)?([+\u2212-])(\d{1,2})(?::?([0-5]\d))?$/i

/** `+02:00`, `GMT+0200`, `UTC-5`: the zone that is always so far from UTC, in whose name the sign is the other way. */
const ofOffset = (given: string): string | undefined => {
  // Windows shows `(UTC+01:00) Amsterdam, Berlin`, Java `GMT+02:00 (CEST)`.
  const bare = given.replace(/^\(([^)]*)\).*$/, '$1').replace(/\s*\([^)]*\)$/, '')
  const [, sign, hours, minutes = '00'] = offset.exec(bare) ?? []
  if (hours === undefined) return undefined
  const ahead = sign === '+'
  const hour = Number(hours)
  const known = uneven[`${ahead ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`]
  if (known) return known
  // No place is so far from UTC: the nearest that there is below.
  if (hour === 0) return 'UTC'
  return hour <= (ahead ? 14 : 12) ? `Etc/GMT${ahead ? '-' : '+'}${hour}` : undefined
}

const areas = 'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc'
/** `America/Newtown`: a device's list may be newer than ours. */
const ofArea = new RegExp(`^(?:${areas})(?:/[A-Za-z][A-Za-z0-9_+-]*){1,2}$`, 'i')
/** Names that lists of zones had before areas, and browsers still know. */
const single =
  /^(?:UTC|GMT|GMT[+-]?0|UCT|Universal|Zulu|Greenwich|CET|EET|MET|WET|[CEMP]ST|HST|(?:C|E|M|P)ST\d(?:C|E|M|P)DT|Cuba|Egypt|Eire|GB|GB-Eire|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|Navajo|NZ|NZ-CHAT|Poland|Portugal|PRC|ROC|ROK|Singapore|Turkey|W-SU)$/i
const olderArea = /^(?:US|Canada|Mexico|Brazil|Chile)\//i
const isBrowsers = (name: string) => (ofArea.test(name) || olderArea.test(name) || single.test(name)) && isKnown(name)

const findZone = (given: string): string | undefined =>
  ofOffset(given) ??
  windows.get(
    given
      .toLowerCase()
      .replace(/ daylight time/, ' standard time')
      .replace(/ summer time/, ' standard time'),
  ) ??
  abbreviations[given.toUpperCase()] ??
  (isBrowsers(given) ? given : undefined)

// Looking a zone up takes at least 0.3 ms, and every sign-in names its own. There are only about 600.
const zonesKept = 2000
const found = new Map<string, string>()

/** The zone that a name stands for, among those that browsers know; undefined if it stands for none. */
export const zoneNamed = (given: string): string | undefined => {
  const before = found.get(given)
  if (before) return before
  const zone = findZone(given)
  if (zone !== undefined && found.size < zonesKept) found.set(given, zone)
  return zone
}

/** `Mitteleuropäische Sommerzeit`, `undefined`: what a device says that has no name for its zone. */
const inWords = /^[\p{L}\p{M}][\p{L}\p{M}\p{Zs}.,'’()\u2013-]*$/u

/** The same for a device, which is let in wherever it may be. */
export const zoneOfDevice = (given: string): string | undefined =>
  zoneNamed(given) ??
  (/^[A-Za-z]/.test(given) && isKnown(given) ? given : ofArea.test(given) || inWords.test(given) ? 'UTC' : undefined)

/** A stored zone, as this runtime knows it: its list may be older than the one by which it was stored. */
export const zoneHere = (stored: string): string => (isKnown(stored) ? stored : 'UTC')

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsKept = 200
/** How far a zone is from UTC at a moment: `+02:00`, for devices that do not know the zone. */
export const offsetAt = (zone: string, at: Date): string => {
  let format = formats.get(zone)
  if (!format) {
    if (formats.size >= formatsKept) formats.clear()
    format = new Intl.DateTimeFormat('en', { timeZone: zoneHere(zone), timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  return /[+-]\d\d:\d\d/.exec(name ?? '')?.[0] ?? '+00:00'
}

/** Everything that a name becomes here, apart from hours. */
export const allZones: readonly string[] = [
  ...Object.values(uneven),
  ...Object.values(abbreviations),
  ...windows.values(),
]
