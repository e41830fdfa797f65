/*
 * Clocks of other places. A browser may not know a place's time zone, because it is older than the zone: then the
 * place's offset from UTC, such as `+02:00`, stands in for it, and UTC for anything else.
 */

const known = new Map<string, boolean>()
const isKnown = (zone: string) => {
  let is = known.get(zone)
  if (is === undefined) {
    try {
      // Few browsers accept an offset as a zone: it is handled alike in all of them.
      is = !/^[+-]/.test(zone) && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      is = false
    }
    known.set(zone, is)
  }
  return is
}

/** The zone of a place, or its offset from UTC if this browser does not know the zone. */
export const zoneOr = (zone: string, distance: string | undefined) => (isKnown(zone) ? zone : (distance ?? zone))

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

const minuteMs = 60_000
const distanceMs = (zone: string) => {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs : 0
}

/** A moment, and the zone in which to format it so that it shows a place's clock. */
export const onClock = (moment: string | Date, zone: string | undefined) => {
  const at = new Date(moment)
  if (zone === undefined || isKnown(zone)) return { at, timeZone: zone }
  return { at: new Date(at.getTime() + distanceMs(zone)), timeZone: 'UTC' }
}

/** `YYYY-MM-DDTHH:mm` on a clock in that time zone. */
export const wallTime = (moment: string | Date, zone: string): string => {
  const { at, timeZone } = onClock(moment, zone)
  if (Number.isNaN(at.getTime())) return ''
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const found = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${found.year}-${found.month}-${found.day}T${found.hour}:${found.minute}`
}

/** The moment at which a clock in that time zone shows it. An hour skipped by a clock change is the one after. */
export const momentOf = (wall: string, timeZone: string): Date => {
  const wanted = Date.parse(`${wall}Z`)
  let guess = wanted
  // Twice, because the offset at the first guess may be that of the other side of a clock change.
  for (let round = 0; round < 2; round++) guess += wanted - Date.parse(`${wallTime(new Date(guess), timeZone)}Z`)
  return new Date(guess)
}
