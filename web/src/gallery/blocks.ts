import { computeRowsLayout } from 'react-photo-album'

/* A long album is drawn in blocks, of which only those near to the screen are there. */

/** So few that drawing a block fits between two frames of a scroll; pages of 60 make three. */
const blockMax = 20

/**
 * Cuts what each page brought into blocks of at most 20, counted from the end of each section: what is new at the top
 * then moves nothing between the blocks below.
 */
export const blocksOf = <Item>(
  pages: readonly (readonly Item[])[],
  idOf: (item: Item) => string,
  sectionOf: (item: Item) => string | undefined = () => undefined,
): Item[][] => {
  const seen = new Set<string>()
  return pages.flatMap(page => {
    const fresh = page.filter(item => !seen.has(idOf(item)) && seen.add(idOf(item)) !== undefined)
    return runsOf(fresh, sectionOf).flatMap(run => {
      const first = run.length % blockMax
      const cuts = Array.from({ length: Math.floor(run.length / blockMax) }, (_, at) => first + at * blockMax)
      const blocks = cuts.map(from => run.slice(from, from + blockMax))
      return first > 0 ? [run.slice(0, first), ...blocks] : blocks
    })
  })
}

const runsOf = <Item>(items: readonly Item[], sectionOf: (item: Item) => string | undefined): Item[][] => {
  const runs: Item[][] = []
  for (const item of items) {
    const [last] = runs.at(-1) ?? []
    if (last !== undefined && sectionOf(last) === sectionOf(item)) runs.at(-1)?.push(item)
    else runs.push([item])
  }
  return runs
}

/** The blocks, each as it was before where it holds the same: another page changes nothing of those above it. */
export const unchanged = <Item>(before: readonly Item[][], blocks: readonly Item[][]): Item[][] => {
  const known = new Map(before.map(block => [block.at(-1), block]))
  return blocks.map(block => {
    const same = known.get(block.at(-1))
    return same?.length === block.length && same.every((item, at) => item === block[at]) ? same : block
  })
}

export const rowHeight = (width: number) => (width < 640 ? 132 : width < 1100 ? 190 : 230)
/** Whether the small preview is enough for a tile: on a phone, and where 400 px are fine enough for the screen. */
export const isSmall = (width: number, ratio = devicePixelRatio) => width < 640 || rowHeight(width) * ratio < 375
export const gap = (width: number) => (width < 640 ? 3 : 8)

type Sized = { id: string; extra: { width: number; height: number } }
export type Row<Photo> = { photo: Photo; width: number; height: number }[]

/** Where each photo of a block stands, and how high the block is: known without drawing it. */
export const laidOut = <Photo extends Sized>(photos: readonly Photo[], width: number) => {
  const sized = photos.map(photo => ({ photo, src: photo.id, width: ratioOf(photo), height: 1 }))
  const between = gap(width)
  // A few alone are not blown up to the width of the page.
  const widest = sized.reduce((sum, { width: ratio }) => sum + ratio * rowHeight(width) * 1.5 + between, -between)
  const model = computeRowsLayout(sized, between, 0, Math.min(width, Math.floor(widest)), rowHeight(width))
  const rows: Row<Photo>[] = (model?.tracks ?? []).map(track =>
    track.photos.map(({ photo: { photo }, width, height }) => ({ photo, width, height })),
  )
  const height = rows.reduce((sum, [first]) => sum + (first?.height ?? 0) + between, -between)
  return { rows, height }
}

/** A panorama or a strip would take a row of its own, too low or too high to be seen. */
const ratioOf = ({ extra }: Sized) => Math.min(Math.max(extra.width / extra.height, 0.5), 2.4)

/** Without what came at the top since it was last left, as long as somebody reads further down. */
export const heldBack = <Item>(items: readonly Item[], known: ReadonlySet<string>, idOf: (item: Item) => string) => {
  const first = items.findIndex(item => known.has(idOf(item)))
  return Math.max(first, 0)
}
