import { filmOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'
import type { openPictures } from './wall-pictures.ts'
import { nextOf, type Turns, taken } from './wall-turns.ts'

export type Loaded = { photo: Photo; still: string }

const besideMax = 2
/** After this many failed loads, one from memory is shown. */
const triesMax = 2

/** True if a landscape screen has room for another one beside it. */
const isNarrow = (photo: Photo) => {
  const { width, height } = photo.extra
  return !filmOf(photo) && (width / height) * 2.2 < innerWidth / innerHeight
}

/** The next portrait photos, as many as fit; this uses up their turn. */
export const loadBeside = async (
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

/** The next photo that loads, except for the current ones. */
export const loadNext = async (
  turns: Turns | undefined,
  photos: readonly Photo[],
  pictures: ReturnType<typeof openPictures> | undefined,
  there: readonly string[],
): Promise<Loaded | undefined> => {
  if (!turns || !pictures) return undefined
  const ids = photos.map(({ id }) => id)
  const cannot = new Set(there)
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
