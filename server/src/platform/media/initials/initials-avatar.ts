import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../process/bounded-cache.ts'

// Dark enough for white letters at a contrast of 4.5.
const colours = [
  '#b3261e',
  '#a23b72',
  '#7b3fb5',
  '#4f46c8',
  '#2260c4',
  '#0b6e8f',
  '#0a7464',
  '#2d7a36',
  '#64720f',
  '#96590a',
  '#8d4b3d',
  '#566270',
]

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The first letters of the first and last word of a name, in any script; none for a name without letters. */
export function initialsOf(name: string): string[] {
  const initials = name
    .split(/\s+/u)
    .map(initialOf)
    .filter(initial => initial !== '')
  return initials.length > 1 ? [initials[0] ?? '', initials.at(-1) ?? ''] : initials
}

/**
 * The picture of someone without one: an SVG of the initials of `name` on a colour determined by `seed` (an ID, a
 * username). Safe to serve: nothing of the name but escaped letters gets in, and it is served with `sandbox` like our
 * other files.
 */
export function initialsAvatar(name: string, seed: string): string {
  const colour = colours[createHash('sha256').update(seed).digest().readUInt32BE(0) % colours.length]
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">' +
    `<rect width="512" height="512" fill="${colour}"/>` +
    '<text x="256" y="256" dy="0.36em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="500" ' +
    `font-size="208" fill="#fff">${escaped(together(initialsOf(name)))}</text></svg>`
  )
}

/** Arabic letters side by side would join into another word; two pictures are wider than a circle. */
const together = (initials: string[]) => {
  if (initials.every(initial => /^\p{So}/u.test(initial))) return initials[0] ?? ''
  return initials.join(/^\p{Script=Arabic}/u.test(initials[0] ?? '') ? '\u200c' : '')
}

/**
 * Latin, Greek, Cyrillic, Hebrew, Arabic, Kana and Han. One of these letters followed by another is a grapheme:
 * segmenting takes ten times as long, and a page has a hundred names.
 */
const letters =
  'a-zA-Z\\u00c0-\\u024f\\u0370-\\u0481\\u048a-\\u052f\\u05d0-\\u05ea\\u0620-\\u064a\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff'
const beginsPlainly = new RegExp(`^(?=\\p{L})[${letters}](?:$|[ -~’${letters}])`, 'u')

const initialOf = (word: string) =>
  beginsPlainly.test(word) ? word.slice(0, 1).toUpperCase() : initialsOfWords.memo(word)

// The first grapheme that is a letter, a digit or a symbol, so that quotes, bidi controls and lone surrogates yield
// nothing; one stacked with marks is reduced to its letter.
function segmentedInitialOf(word: string): string {
  for (const { segment } of graphemes.segment(word)) {
    const visible = /[\p{L}\p{N}\p{So}]/u.exec(segment)
    if (!visible) continue
    return (segment.isWellFormed() && segment.length <= 16 ? segment : visible[0]).toLocaleUpperCase('und')
  }
  return ''
}

const initialsOfWords = new LRUCache<string, string>({
  ...atMost(10_000),
  memoMethod: segmentedInitialOf,
})

const escaped = (text: string) => text.replace(/[<>&"']/g, character => `&#${character.codePointAt(0)};`)
