import { asciiDigits } from '@afterglow/contract/normalization'

/*
 * Short codes of links, `LAKE-2106`: a word and four digits, for people who type what they read on paper. Whatever they
 * type means the same code: small letters, spaces, other dashes or none, a full stop behind it, digits of another
 * script, letters that look like digits.
 */

/** Without what nobody tells apart on paper. Of two different words or numbers, none are alike. */
export const alike = (code: string) =>
  code.replaceAll('O', '0').replaceAll(/[IL]/g, '1').replaceAll('Z', '2').replaceAll('S', '5').replaceAll('B', '8')

/** The letters and digits of a short code; undefined for anything else, such as the long code of a link. */
export const shortCodeIn = (typed: string): string | undefined => {
  if (typed.length > 40) return undefined
  const plain = asciiDigits(typed.normalize('NFKD'))
    .toUpperCase()
    .replaceAll(/[\p{M}\p{P}\p{Z}\p{S}\p{C}]/gu, '')
  return /^[A-Z0-9]{3,7}[0-9OILZSB]{4}$/.test(plain) ? plain : undefined
}
