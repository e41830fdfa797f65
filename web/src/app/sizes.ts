import { speech } from './words.ts'

export const megabytesOf = (bytes: number) =>
  new Intl.NumberFormat(speech.get().language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: bytes < 10_000_000 ? 1 : 0,
  }).format(bytes / 1_000_000)
