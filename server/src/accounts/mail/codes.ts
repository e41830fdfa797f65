import { createHash, randomInt } from 'node:crypto'
import { asciiDigits } from '@afterglow/contract/normalization'

export type Purpose = 'verify' | 'reset' | 'undo'

/** Crockford's alphabet: no letter can be mistaken for another. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 bits, as four groups of four letters: too many to guess, few enough to type. */
export const newCode = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  )

/** The stored form of a code: different for each purpose, so that no code works for another. */
export const hashOfCode = (purpose: Purpose, code: string): Buffer =>
  createHash('sha256')
    .update(`${purpose} ${asPrinted(code)}`)
    .digest()

const asPrinted = (code: string) =>
  asciiDigits(code)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
