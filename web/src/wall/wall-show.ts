import { useCallback, useEffect, useRef, useState } from 'react'
import { filmOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'
import { type Loaded, loadBeside, loadNext } from './wall-loading.ts'
import { openPictures } from './wall-pictures.ts'
import type { Wall } from './wall-query.ts'
import { begun, noted, type Turns, taken } from './wall-turns.ts'

export type Shown = Loaded & {
  key: number
  film?: string
  isNew: boolean
  /** Portrait photos shown beside it, where it would fill part of the screen alone. */
  beside: Loaded[]
}
/** `n`: how many came before it. */
export type Tile = Loaded & { n: number }

type Show = {
  /** How often what is shown has changed. */
  changes: number
  shown?: Shown
  before?: Shown
  /** Of a mosaic, in their places. */
  tiles: readonly Tile[]
}

/** As many as there are places in a mosaic (wall-mosaic.tsx). */
const tilesMax = 10
/** The longest that a video may occupy the wall, unless photos stay longer. */
const filmMs = 30_000

/**
 * What the wall shows. It changes by itself, at once when a new photo arrives or an organizer says so, and only to one
 * that has really loaded. Paused, it changes only for an organizer.
 */
export const useShow = (photos: readonly Photo[], wall: Wall | undefined, named: Photo | undefined) => {
  const [show, setShow] = useState<Show>({ changes: 0, tiles: [] })
  const layout = wall?.wall_layout ?? 'pairs'
  const now = useRef({ photos, layout, show })
  now.current = { photos, layout, show }
  const turns = useRef<Turns>(undefined)
  const pictures = useRef<ReturnType<typeof openPictures>>(undefined)
  /** What is under way: an act by hand waits for it, and nothing by itself is added to it. */
  const acting = useRef<Promise<unknown>>(undefined)

  const act = useCallback((work: () => Promise<unknown>) => {
    const begun: Promise<unknown> = (acting.current ?? Promise.resolve())
      .then(work)
      .catch(() => {})
      .finally(() => {
        if (acting.current === begun) acting.current = undefined
      })
    acting.current = begun
  }, [])

  const put = useCallback((photo: Loaded, more: { isNew?: boolean; beside?: Loaded[] } = {}) => {
    const film = filmOf(photo.photo)?.url
    const { isNew = false, beside = [] } = more
    setShow(({ changes, shown, tiles }) => ({
      changes: changes + 1,
      tiles,
      shown: { ...photo, isNew, beside, key: changes + 1, ...(film && { film }) },
      ...(shown && { before: shown }),
    }))
  }, [])

  const advance = useCallback(async () => {
    const { photos, layout, show } = now.current
    const there = layout === 'mosaic' ? show.tiles.map(({ photo }) => photo.id) : []
    const found = await loadNext(turns.current, photos, pictures.current, there)
    if (!turns.current || !pictures.current) return
    const isNew = found !== undefined && turns.current.fresh.includes(found.photo.id)
    if (found) turns.current = taken(turns.current, found.photo.id)
    if (layout === 'mosaic')
      setShow(({ changes, tiles }) => ({ changes: changes + 1, tiles: found ? withTile(tiles, found) : tiles }))
    else if (found) {
      const beside = layout === 'pairs' ? await loadBeside(found.photo, turns, photos, pictures) : []
      put(found, { isNew, beside })
    }
  }, [put])

  const next = useCallback(() => {
    if (!acting.current) act(advance)
  }, [act, advance])

  useEffect(() => {
    const opened = openPictures()
    pictures.current = opened
    return () => {
      pictures.current = undefined
      opened.close()
    }
  }, [])

  // By an organizer: a turn that this page has not seen, and what it names.
  const turn = wall?.wall_turn
  const lastTurn = useRef<number>(undefined)
  const names = (wall?.shown_photo_id ?? null) !== null
  useEffect(() => {
    if (turn === undefined || (names && !named)) return
    const isFirst = lastTurn.current === undefined
    if (!isFirst && turn <= (lastTurn.current ?? 0)) return
    lastTurn.current = turn
    if (isFirst && !named) return
    act(async () => {
      const still = named && (await pictures.current?.load(named))
      if (named && still) put({ photo: named, still })
      else await advance()
    })
  }, [turn, names, named, act, advance, put])

  const { changes, shown, before, tiles } = show
  const paused = wall?.wall_paused ?? false
  useEffect(() => {
    const ids = photos.map(({ id }) => id)
    const there = new Set(named ? [...ids, named.id] : ids)
    const waited = turns.current?.fresh.length ?? 0
    if (turns.current) turns.current = noted(turns.current, ids)
    else if (ids.length > 0) turns.current = begun(ids)
    const onScreen = [...[shown, before].flatMap(each => (each ? [each, ...each.beside] : [])), ...tiles]
    pictures.current?.tidy(
      onScreen.map(({ photo }) => photo.id),
      there,
    )
    const came = (turns.current?.fresh.length ?? 0) > waited
    const isGone = ({ photo }: Loaded) => !there.has(photo.id)
    const gone = shown !== undefined && [shown, ...shown.beside].some(isGone)
    if (gone || tiles.some(isGone))
      act(async () => {
        setShow(({ changes, tiles }) => ({ changes: changes + 1, tiles: tiles.filter(tile => !isGone(tile)) }))
        await advance()
      })
    else if ((!shown && tiles.length === 0) || (came && !paused && !shown?.isNew)) next()
  }, [photos, named, shown, before, tiles, paused, act, advance, next])

  // What is on in another layout gives way to this one.
  const lastLayout = useRef(layout)
  useEffect(() => {
    if (lastLayout.current === layout) return
    lastLayout.current = layout
    act(async () => {
      if (layout !== 'mosaic') setShow(each => ({ ...each, tiles: [] }))
      await advance()
    })
  }, [layout, act, advance])

  const seconds = wall?.wall_seconds ?? 7
  const stayMs = shown?.film ? Math.max(filmMs, seconds * 1000) : seconds * 1000
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the time anew.
  useEffect(() => {
    if (paused) return
    const timer = setInterval(next, stayMs)
    return () => clearInterval(timer)
  }, [changes, stayMs, paused, next])

  return { shown, before, tiles, ended: () => !paused && next() }
}

/** In the next free place, or in that of the oldest. */
export const withTile = (tiles: readonly Tile[], found: Loaded): readonly Tile[] => {
  const tile = { ...found, n: Math.max(0, ...tiles.map(({ n }) => n)) + 1 }
  if (tiles.some(({ photo }) => photo.id === found.photo.id)) return tiles
  if (tiles.length < tilesMax) return [...tiles, tile]
  const oldest = Math.min(...tiles.map(({ n }) => n))
  return tiles.map(each => (each.n === oldest ? tile : each))
}
