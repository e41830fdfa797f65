import { speech } from './words.ts'

const format = (number: number, unit: 'kilobyte' | 'megabyte', maximumFractionDigits: number) =>
  new Intl.NumberFormat(speech.get().locale, { style: 'unit', unit, maximumFractionDigits })
    .format(number)
    // There is no line break between the two.
    .replace(/\s/g, '\u00a0')

/** A limit as the operator has set it: its megabytes are of 1024 kilobytes. */
export const limitOf = (bytes: number) => format(bytes / 1_048_576, 'megabyte', 1)

/** A human-readable file size. */
export const sizeOf = (bytes: number) =>
  bytes < 100_000
    ? format(Math.ceil(bytes / 1000), 'kilobyte', 0)
    : format(bytes / 1_000_000, 'megabyte', bytes < 10_000_000 ? 1 : 0)
