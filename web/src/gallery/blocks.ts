/* A long album is drawn in blocks, of which only those near to the screen are there. */

/** So few that drawing a block fits between two frames of a scroll; pages of 60 make three. */
const blockMax = 20

/**
 * Cuts what each page brought into blocks of at most 20, counted from its end: what is new at the top then moves
 * nothing between the blocks below.
 */
export const blocksOf = <Item>(pages: readonly (readonly Item[])[], idOf: (item: Item) => string): Item[][] => {
  const seen = new Set<string>()
  return pages.flatMap(page => {
    const fresh = page.filter(item => !seen.has(idOf(item)) && seen.add(idOf(item)) !== undefined)
    const first = fresh.length % blockMax
    const cuts = Array.from({ length: Math.floor(fresh.length / blockMax) }, (_, at) => first + at * blockMax)
    const blocks = cuts.map(from => fresh.slice(from, from + blockMax))
    return first > 0 ? [fresh.slice(0, first), ...blocks] : blocks
  })
}

type Sized = { width: number; height: number }

export const rowHeight = (width: number) => (width < 640 ? 132 : width < 1100 ? 190 : 230)
export const gap = (width: number) => (width < 640 ? 3 : 8)

/** About how high a block will be, in pixels, for its place until it is drawn. */
export const guessedHeight = (photos: readonly Sized[], width: number): number => {
  const ratios = photos.reduce((sum, photo) => sum + photo.width / photo.height, 0)
  const rows = Math.max(1, Math.round((ratios * rowHeight(width)) / width))
  const perRow = photos.length / rows
  const each = (width - (perRow - 1) * gap(width)) / (ratios / rows)
  return rows * Math.min(each, rowHeight(width) * 2) + (rows - 1) * gap(width)
}

/** Without what came at the top since it was last left, as long as somebody reads further down. */
export const heldBack = <Item>(items: readonly Item[], known: ReadonlySet<string>, idOf: (item: Item) => string) => {
  const first = items.findIndex(item => known.has(idOf(item)))
  return Math.max(first, 0)
}
