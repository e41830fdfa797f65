import { filmOf } from '../gallery/film.ts'
import type { Loaded } from './wall-loading.ts'

export type ShownPhoto = Loaded & {
  key: number
  film?: string
  isNew: boolean
  /** Portrait photos beside it, where it would fill part of the screen alone. */
  beside: Loaded[]
}
/** `n`: how many came before it. */
export type Tile = Loaded & { n: number }

/** The wall's current content: a photo over the previous one, or the tiles of a mosaic. */
export type Show = {
  /** How often it has changed. */
  changes: number
  shown?: ShownPhoto
  before?: ShownPhoto
  /** The tiles of a mosaic, in their places. */
  tiles: readonly Tile[]
}

/** As many as a mosaic has places (wall-mosaic.tsx). */
const tilesMax = 10

/** A photo with those beside it, in screen order. */
export const withBeside = (shown: ShownPhoto | undefined): Loaded[] => (shown ? [shown, ...shown.beside] : [])

/** A photo over the previous one. */
export const withPhoto = ({ changes, shown, tiles }: Show, next: Loaded, isNew: boolean, beside: Loaded[]): Show => {
  const film = filmOf(next.photo)?.url
  return {
    changes: changes + 1,
    tiles,
    shown: { ...next, isNew, beside, key: changes + 1, ...(film && { film }) },
    ...(shown && { before: shown }),
  }
}

/** A photo in the next free place of the mosaic, or in that of the oldest. */
export const withTile = (tiles: readonly Tile[], found: Loaded): readonly Tile[] => {
  const tile = { ...found, n: Math.max(0, ...tiles.map(({ n }) => n)) + 1 }
  if (tiles.some(({ photo }) => photo.id === found.photo.id)) return tiles
  if (tiles.length < tilesMax) return [...tiles, tile]
  const oldest = Math.min(...tiles.map(({ n }) => n))
  return tiles.map(each => (each.n === oldest ? tile : each))
}
