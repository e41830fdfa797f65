import { useCallback, useEffect, useRef, useState } from 'react'
import { filmOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'
import { openPictures } from './wall-pictures.ts'
import { begun, nextOf, noted, type Turns, taken } from './wall-turns.ts'

type Loaded = { photo: Photo; still: string }
export type Shown = Loaded & {
  key: number
  film?: string
  isNew: boolean
  /** Portrait photos shown beside it, where it would fill part of the screen alone. */
  beside: Loaded[]
}

const showMs = 7000
/** The longest that a video may occupy the wall. */
const filmMs = 30_000
const besideMax = 2
/** After this many that did not load, one from memory is shown. */
const triesMax = 2

/**
 * Which photo the wall shows. It changes by itself, at once when a new one arrives, and only to one that has really
 * loaded.
 */
export const useShow = (photos: readonly Photo[]) => {
  const [show, setShow] = useState<{ shown?: Shown; before?: Shown }>({})
  const newest = useRef(photos)
  newest.current = photos
  const turns = useRef<Turns>(undefined)
  const pictures = useRef<ReturnType<typeof openPictures>>(undefined)
  const turning = useRef(false)

  const next = useCallback(async () => {
    if (turning.current) return
    turning.current = true
    try {
      const found = await loadNext(turns.current, newest.current, pictures.current)
      if (!found || !turns.current || !pictures.current) return
      const { photo } = found
      const isNew = turns.current.fresh.includes(photo.id)
      turns.current = taken(turns.current, photo.id)
      const beside = await loadBeside(photo, turns, newest.current, pictures)
      const film = filmOf(photo)?.url
      setShow(({ shown }) => ({
        shown: {
          ...found,
          isNew,
          beside,
          key: (shown?.key ?? 0) + 1,
          ...(film && { film }),
        },
        ...(shown && { before: shown }),
      }))
    } finally {
      turning.current = false
    }
  }, [])

  useEffect(() => {
    const opened = openPictures()
    pictures.current = opened
    return () => {
      pictures.current = undefined
      opened.close()
    }
  }, [])

  const { shown, before } = show
  useEffect(() => {
    const ids = photos.map(({ id }) => id)
    const waited = turns.current?.fresh.length ?? 0
    if (turns.current) turns.current = noted(turns.current, ids)
    else if (ids.length > 0) turns.current = begun(ids)
    const onScreen = [shown, before].flatMap(each => (each ? [each, ...each.beside] : [])).map(({ photo }) => photo.id)
    pictures.current?.tidy(onScreen, new Set(ids))
    const came = (turns.current?.fresh.length ?? 0) > waited
    // Many that arrive at once are shown one after another.
    const gone = shown && [shown, ...shown.beside].some(({ photo }) => !ids.includes(photo.id))
    if (!shown || gone || (came && !shown.isNew)) void next()
  }, [photos, shown, before, next])

  const key = shown?.key
  const stayMs = shown?.film ? filmMs : showMs
  useEffect(() => {
    const timer = setInterval(() => void next(), key === undefined ? showMs : stayMs)
    return () => clearInterval(timer)
  }, [key, stayMs, next])

  return { ...show, next: () => void next() }
}

/** Whether a landscape screen has room for another one beside it. */
const isNarrow = (photo: Photo) => {
  const { width, height } = photo.extra
  return !filmOf(photo) && (width / height) * 2.2 < innerWidth / innerHeight
}

/** The next portrait photos, as many as fit; this uses up their turn. */
const loadBeside = async (
  photo: Photo,
  turns: { current: Turns | undefined },
  photos: readonly Photo[],
  pictures: { current: ReturnType<typeof openPictures> | undefined },
): Promise<Loaded[]> => {
  const beside: Loaded[] = []
  if (!isNarrow(photo)) return beside
  const ids = photos.map(({ id }) => id)
  const cannot = new Set([photo.id, ...photos.filter(each => !isNarrow(each)).map(({ id }) => id)])
  while (beside.length < besideMax && turns.current && pictures.current) {
    const id = nextOf(turns.current, ids, cannot)
    const next = photos.find(each => each.id === id)
    if (!next) break
    cannot.add(next.id)
    const still = await pictures.current.load(next)
    if (!still || !turns.current) continue
    // A rotation that skips landscape photos continues with them: only new photos are taken out of turn.
    if (turns.current.fresh.includes(next.id)) turns.current = taken(turns.current, next.id)
    beside.push({ photo: next, still })
  }
  return beside
}

const loadNext = async (
  turns: Turns | undefined,
  photos: readonly Photo[],
  pictures: ReturnType<typeof openPictures> | undefined,
) => {
  if (!turns || !pictures) return undefined
  const ids = photos.map(({ id }) => id)
  const cannot = new Set<string>()
  for (let tries = 0; tries <= triesMax; tries++) {
    if (tries === triesMax) for (const id of ids) if (!pictures.has(id)) cannot.add(id)
    const id = nextOf(turns, ids, cannot)
    const photo = photos.find(each => each.id === id)
    if (!photo) return undefined
    const still = await pictures.load(photo)
    if (still) return { photo, still }
    cannot.add(photo.id)
  }
  return undefined
}
