import { speech } from './words.ts'

const format = (number: number, unit: 'kilobyte' | 'megabyte', maximumFractionDigits: number) =>
  new Intl.NumberFormat(speech.get().language, { style: 'unit', unit, maximumFractionDigits }).format(number)

/** A file's size as people read it. */
export const sizeOf = (bytes: number) =>
  bytes < 100_000
    ? format(Math.ceil(bytes / 1000), 'kilobyte', 0)
    : format(bytes / 1_000_000, 'megabyte', bytes < 10_000_000 ? 1 : 0)
