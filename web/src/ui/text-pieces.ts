/** A piece of a message's text. */
export type Piece = { text: string; link?: string; mention?: true }

/** A URL, an `@` within a word or address, which mentions nobody, or a mention. No lookbehind: see `build/floor.ts`. */
const marked = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])|[\p{L}\p{M}\p{N}_%+/-]@+|@@+|(@[A-Za-z0-9._-]*[A-Za-z0-9])/gu

/** Splits a text into plain words, URLs and mentions. */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(marked)) {
    const [whole, link, mention] = match
    if (!link && !mention) continue
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) })
    pieces.push(link ? { text: whole, link } : { text: whole, mention: true })
    from = match.index + whole.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
