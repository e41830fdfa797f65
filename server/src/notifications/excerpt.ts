const excerptMax = 120
const nameMax = 60
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a user's text, on one line. */
export const excerpt = (text: string, most = excerptMax): string => {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  // A text never has more characters than code units, and segmenting is slow.
  if (line.length <= most) return line
  let at = 0
  for (const { index } of graphemes.segment(line)) if (at++ === most) return `${line.slice(0, index)}…`
  return line
}

const scheme = /\b[a-z][a-z0-9+.-]*:\/+/giu
/** The full stop of a host name; one between digits is a time or a date, unless there are four as in an address. */
const joining = /(?<=[\p{L}\p{N}])\.(?=\p{L})|(?<=\p{L})\.(?=\p{N})/gu
const address = /\b\d{1,3}(?:\.\d{1,3}){3}\b/gu

/**
 * A user-chosen name, as it appears to people who may not know them: short, and without anything that a phone would
 * turn into a link. It reads as before, except for a space after a full stop.
 */
export const nameToRing = (name: string): string =>
  excerpt(
    name
      .replaceAll(scheme, '')
      .replaceAll(address, found => found.replaceAll('.', '. '))
      .replaceAll(joining, '. '),
    nameMax,
  ) || '…'
