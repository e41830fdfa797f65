import { useCallback, useEffect, useRef, useState } from 'react'
import type { Photo } from '../gallery/queries.ts'
import { type Show, withPhoto, withTile } from './wall-content.ts'
import { type Loaded, loadBeside, loadNext } from './wall-loading.ts'
import { openPictures } from './wall-pictures.ts'
import type { Wall } from './wall-query.ts'
import { begun, noted, type Turns, taken } from './wall-turns.ts'

/** The wall's current content, and the acts that change it, each only to a photo that has really loaded. */
export const useReel = (photos: readonly Photo[], layout: Wall['wall_layout']) => {
  const [show, setShow] = useState<Show>({ changes: 0, tiles: [] })
  const now = useRef({ photos, layout, show })
  now.current = { photos, layout, show }
  const turns = useRef<Turns>(undefined)
  const pictures = usePictures()

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
      setShow(before => withPhoto(before, found, isNew, beside))
    }
  }, [pictures])

  const advanceTo = useCallback(
    async (photo: Photo | undefined) => {
      const still = photo && (await pictures.current?.load(photo))
      if (photo && still) setShow(before => withPhoto(before, { photo, still }, false, []))
      else await advance()
    },
    [pictures, advance],
  )

  /** Removes deleted photos from the wall, and a photo that is shown alone. */
  const drop = useCallback((isGone: (tile: Loaded) => boolean) => {
    setShow(({ changes, tiles }) => ({ changes: changes + 1, tiles: tiles.filter(tile => !isGone(tile)) }))
  }, [])
  const endMosaic = useCallback(() => setShow(each => ({ ...each, tiles: [] })), [])

  /** Notes the current photos, and returns true if some have just arrived. */
  const note = useCallback(
    (photos: readonly Photo[], there: ReadonlySet<string>, onScreen: readonly Loaded[]) => {
      const ids = photos.map(({ id }) => id)
      const waited = turns.current?.fresh.length ?? 0
      if (turns.current) turns.current = noted(turns.current, ids)
      else if (ids.length > 0) turns.current = begun(ids)
      pictures.current?.tidy(
        onScreen.map(({ photo }) => photo.id),
        there,
      )
      return (turns.current?.fresh.length ?? 0) > waited
    },
    [pictures],
  )
  /** Stores only these for a page that begins without a network. */
  const keepOnly = useCallback((photos: readonly Photo[]) => void pictures.current?.keepOnly(photos), [pictures])
  return { show, advance, advanceTo, drop, endMosaic, note, keepOnly }
}

const usePictures = () => {
  const pictures = useRef<ReturnType<typeof openPictures>>(undefined)
  useEffect(() => {
    const opened = openPictures()
    pictures.current = opened
    return () => {
      pictures.current = undefined
      opened.close()
    }
  }, [])
  return pictures
}
