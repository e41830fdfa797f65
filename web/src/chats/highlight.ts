/** A piece of a message that was searched for. */
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

/** What two lines of a phone show for certain. */
const shownLength = 50
/** Three words, and what is between them. */
const piecesBefore = 6

/** From a little before the first word found, if that would be beyond what is shown. */
export const excerptOf = (pieces: readonly Piece[]): readonly Piece[] => {
  const at = pieces.findIndex(({ found }) => found)
  const before = pieces.slice(0, Math.max(at, 0)).reduce((sum, { text }) => sum + text.length, 0)
  return before > shownLength ? [{ text: '… ' }, ...pieces.slice(Math.max(at - piecesBefore, 0))] : pieces
}
