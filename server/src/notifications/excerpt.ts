const graphemesMax = 120
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of what somebody wrote, on one line. */
export const excerpt = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  let at = 0
  for (const { index } of graphemes.segment(line)) if (at++ === graphemesMax) return `${line.slice(0, index)}…`
  return line
}
