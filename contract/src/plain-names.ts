/*
 * Characters that no name may contain: one that imitates another letter is a disguise, and one that turns or breaks its
 * line changes the text around it.
 */

const breaks = /\s*[\t\n\v\f\r\u0085\u2028\u2029]\s*/gu
const wideGap = /(\p{Zs})\p{Zs}+/gu
/** Letters and signs that are blank: of Braille, of Egyptian, of notes. */
export const inkless = '\\u2800\\ufffc\\u{13441}\\u{13442}\\u{1d159}'
const invisible = new RegExp(`[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb${inkless}]`, 'gu')
/** Thai, Hebrew and Tibetan put up to four on one letter. */
const marksTooMany = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu
/** Without a letter of its own, a mark sits on what stands before the name. */
const marksOfNothing = /^\p{M}+/u

/** Scripts in which a joiner between two letters is seen. */
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map(script => `\\p{Script=${script}}`)
  .join('')
/** The invisible characters that a script or an emoji is written with. */
const written = new RegExp(
  [
    `(?<=[${joined}]\\p{M}*)[\\u200c\\u200d](?=[${joined}])`,
    '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]*)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Emoji})\\ufe0f',
    '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0020}-\\u{e007f}]',
  ].join('|'),
  'uy',
)

/** A name as it is kept: composed, on one line, with nothing invisible that nothing is written with, and few marks a letter. */
export const plainName = (name: string): string =>
  name
    .replace(breaks, ' ')
    .replace(invisible, (mark, at: number, whole: string) => {
      written.lastIndex = at
      return written.test(whole) ? mark : ''
    })
    .replace(marksTooMany, '$1')
    .replace(wideGap, '$1')
    .trim()
    .replace(marksOfNothing, '')
    .normalize()

/** The same for text of several lines. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u)
    .map(plainName)
    .join('\n')
    .trim()
