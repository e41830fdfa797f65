/** A piece of a message's text. */
export type Piece = { text: string; link?: string; mention?: true }

const marked = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])|((?<![\p{L}\p{M}\p{N}_%+@/-])@[A-Za-z0-9._-]*[A-Za-z0-9])/gu

/** Splits a text into plain words, URLs and mentions. */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(marked)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) })
    pieces.push(match[1] ? { text: match[0], link: match[1] } : { text: match[0], mention: true })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
