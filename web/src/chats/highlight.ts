/** A piece of a message with search matches. */
type Piece = { text: string; found?: true }

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Highlights the words of a search, ignoring case and accents. */
export const foundIn = (text: string, search: string): Piece[] => {
  const words = plain(search).split(/\s+/).filter(Boolean)
  // Word by word, because removing accents changes lengths.
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).map(part => {
    const found = words.some(word => plain(part).startsWith(word))
    return found ? { text: part, found } : { text: part }
  })
}

/** The length that two lines of a phone show for certain. */
const shownLength = 50
/** Three words, and the separators between them. */
const piecesBefore = 6

/** Starts shortly before the first match, if that would be cut off otherwise. */
export const excerptOf = (pieces: readonly Piece[]): readonly Piece[] => {
  const at = pieces.findIndex(({ found }) => found)
  const before = pieces.slice(0, Math.max(at, 0)).reduce((sum, { text }) => sum + text.length, 0)
  return before > shownLength ? [{ text: '… ' }, ...pieces.slice(Math.max(at - piecesBefore, 0))] : pieces
}
