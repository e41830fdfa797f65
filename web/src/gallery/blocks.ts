import { computeRowsLayout } from 'react-photo-album'

/* A long album is rendered in blocks, of which only those near the screen exist. */

/** Small enough to render a block between two frames while scrolling; pages of 60 make three. */
const blockMax = 20
/** With fewer photos, the rest at the top would not fill its rows: it joins the block below. */
const blockMin = 8

/**
 * Divides the photos of each page into blocks of about 20, counted from the end of each section: new photos at the top
 * then move nothing between the blocks below.
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
      const left = run.length % blockMax
      const first = left < blockMin && run.length > blockMax ? left + blockMax : left || blockMax
      const rest = Math.max(Math.ceil((run.length - first) / blockMax), 0)
      const blocks = Array.from({ length: rest }, (_, at) =>
        run.slice(first + at * blockMax, first + (at + 1) * blockMax),
      )
      return [run.slice(0, first), ...blocks]
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

/** The blocks, each the same object if its content is the same: another page does not change the blocks above it. */
export const unchanged = <Item>(before: readonly Item[][], blocks: readonly Item[][]): Item[][] => {
  const known = new Map(before.map(block => [block.at(-1), block]))
  return blocks.map(block => {
    const same = known.get(block.at(-1))
    return same?.length === block.length && same.every((item, at) => item === block[at]) ? same : block
  })
}

export const rowHeight = (width: number) => (width < 640 ? 132 : width < 1100 ? 190 : 230)
/** True if the small preview is enough for a tile: on a phone, and if 400 px are enough for the screen's resolution. */
export const isSmall = (width: number, ratio = devicePixelRatio) => width < 640 || rowHeight(width) * ratio < 375
/** A tile that is larger than most, for which the small preview would be blurred. */
export const isLarge = ({ width, height }: { width: number; height: number }, page: number) =>
  height > rowHeight(page) * 1.5 && width > 300
export const gap = (width: number) => (width < 640 ? 3 : 8)

type Sized = { id: string; extra: { width: number; height: number } }
export type Row<Photo> = { photo: Photo; width: number; height: number }[]

/** The position of each photo in a block, and the block's height: known without rendering it. */
export const laidOut = <Photo extends Sized>(photos: readonly Photo[], width: number) => {
  const sized = photos.map(photo => ({ photo, src: photo.id, width: ratioOf(photo), height: 1 }))
  const between = gap(width)
  const model = computeRowsLayout(sized, between, 0, width, rowHeight(width))
  // A few photos alone fill the width too: large, and a tall one shows its middle.
  const highest = Math.round(rowHeight(width) * 2.6)
  const rows: Row<Photo>[] = (model?.tracks ?? []).map(track =>
    track.photos.map(({ photo: { photo }, width, height }) => ({ photo, width, height: Math.min(height, highest) })),
  )
  const height = rows.reduce((sum, [first]) => sum + (first?.height ?? 0) + between, -between)
  return { rows, height }
}

/** A panorama or a strip would take a row of its own, too low or too high to be recognisable. */
const ratioOf = ({ extra }: Sized) => Math.min(Math.max(extra.width / extra.height, 0.5), 2.4)

/** Leaves out photos added at the top since the reader was last there, while they read further down. */
export const heldBack = <Item>(items: readonly Item[], known: ReadonlySet<string>, idOf: (item: Item) => string) => {
  const first = items.findIndex(item => known.has(idOf(item)))
  return Math.max(first, 0)
}
