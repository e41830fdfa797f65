/**
 * How far somebody has read the log: everything that `seen`, a PostgreSQL snapshot, shows; and when `next` is given, of
 * what that shows besides, the changes up to `id`.
 *
 * What two snapshots differ in, told in the order of the changes' ids, is told in the order of the acts: of two acts that
 * wait for each other the later one takes its id after the earlier one has committed, and no snapshot shows it alone.
 * The order of transaction ids, or of ids and the oldest running transaction, would not be: an act may get its
 * transaction id, wait for a lock, and do the rest after one with a higher one.
 */
export type Position = { seen: string; next?: string; id?: number }

const radix = 36
const write = (number: number) => number.toString(radix)

/** `10:14:11,12` as `a.4.1.1`: the distance of each number from the one before. */
const writeSnapshot = (snapshot: string) => {
  const [least = 0, most = 0, ...running] = numbersOf(snapshot)
  const gaps = running.map((number, at) => number - (running[at - 1] ?? least))
  return [least, most - least, ...gaps].map(write).join('.')
}
const numbersOf = (snapshot: string) => snapshot.split(/[:,]/).filter(Boolean).map(Number)

/** The cursor before each change of one batch, made once: `cursorsOf(seen, next)(id)`. */
export const cursorsOf = (seen: string, next: string) => {
  const batch = `${writeSnapshot(seen)}~${writeSnapshot(next)}~`
  return (id: number) => batch + write(id)
}

/** The cursor of a whole snapshot. */
export const cursorOf = (seen: string): string => writeSnapshot(seen)

const numbers = /^[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11})*$/

const readNumbers = (text: string) => {
  if (!numbers.test(text)) return undefined
  const read = text.split('.').map(part => Number.parseInt(part, radix))
  return read.every(Number.isSafeInteger) ? read : undefined
}

const readSnapshot = (text: string): string | undefined => {
  const [least, span, ...gaps] = readNumbers(text) ?? []
  if (!least || span === undefined) return undefined
  const most = least + span
  const running: number[] = []
  for (const gap of gaps) {
    if (gap === 0 && running.length > 0) return undefined
    running.push((running.at(-1) ?? least) + gap)
  }
  if (!Number.isSafeInteger(most) || (running.at(-1) ?? least) > most || running.at(-1) === most) return undefined
  return `${least}:${most}:${running.join(',')}`
}

/** The position that a cursor tells, or undefined when it is none of ours. */
export const readCursor = (cursor: string): Position | undefined => {
  const [first = '', second, last, ...more] = cursor.split('~')
  const seen = readSnapshot(first)
  if (!seen || more.length > 0) return undefined
  if (second === undefined) return { seen }
  const next = readSnapshot(second)
  const [id, ...rest] = readNumbers(last ?? '') ?? []
  return next && id !== undefined && rest.length === 0 ? { seen, next, id } : undefined
}
