import pg from 'pg'

const timestamptz = 1184
const parseAny = pg.types.getTypeParser(timestamptz) as (text: string) => Date

const [zero, dash] = [48, 45]
const twoDigits = (text: string, at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * zero
const secondsEnd = 19
const zone = '+00'

/**
 * A timestamptz as PostgreSQL writes it in a session whose time zone is UTC: 0.3 µs, where pg's own parser, which tries
 * regular expressions, takes 0.8. A page of photos has a hundred of them. Anything else is left to that parser.
 */
export const parseTimestamp = (text: string): Date => {
  const end = text.length - zone.length
  // Date.UTC interprets years before 100 as those of the last century.
  const far = text.charCodeAt(4) !== dash || text.charCodeAt(0) === zero
  if (far || end < secondsEnd || !text.endsWith(zone)) return parseAny(text)
  let ms = 0
  for (let [at, worth] = [secondsEnd + 1, 100]; at < end && worth >= 1; at++, worth /= 10)
    ms += (text.charCodeAt(at) - zero) * worth
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const day = [twoDigits(text, 5) - 1, twoDigits(text, 8)] as const
  return new Date(Date.UTC(year, ...day, twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17), ms))
}
