import { online } from '../app/net/network.ts'
import { stillUrlOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'
import { openKeptOnWall } from './stored-pictures.ts'

/** How many stay in memory: the wall continues with them while the network is down. */
const keptMax = 60
const loadMs = 20_000

/**
 * Pictures as bytes in this page, so that neither an expired link nor a dead network removes one from the screen; the
 * same are stored, for a page that begins without a network.
 */
export const openPictures = () => {
  const kept = new Map<string, string>()
  const stored = openKeptOnWall(keptMax)
  /** From the service, which knows who may see it; only if that is unreachable, the stored copy. */
  const fetched = async (url: string): Promise<Blob | undefined> => {
    try {
      if (!online.get()) throw new Error('there is no network')
      const reply = await fetch(url, { signal: AbortSignal.timeout(loadMs) })
      if (reply.status >= 400 && reply.status < 500) await stored.forget(url)
      if (!reply.ok) return undefined
      const picture = await reply.blob()
      void stored.keep(url, picture)
      return picture
    } catch {
      return stored.find(url)
    }
  }
  const load = async (photo: Photo): Promise<string | undefined> => {
    const known = kept.get(photo.id)
    if (known) {
      // The most recently shown stay longest.
      kept.delete(photo.id)
      kept.set(photo.id, known)
      return known
    }
    // For a video, the poster image: the video itself loads while it plays.
    const url = stillUrlOf(photo)
    try {
      const bytes = await fetched(url)
      if (!bytes) return undefined
      const still = URL.createObjectURL(bytes)
      const picture = new Image()
      picture.src = still
      await picture.decode()
      kept.set(photo.id, still)
      return still
    } catch {
      return undefined
    }
  }
  return {
    load,
    has: (id: string) => kept.has(id),
    /** Releases the least recently shown ones, but never one on the screen. */
    tidy(onScreen: readonly (string | undefined)[], there: ReadonlySet<string>) {
      for (const [id, still] of kept) {
        if (onScreen.includes(id) || (kept.size <= keptMax && there.has(id))) continue
        kept.delete(id)
        URL.revokeObjectURL(still)
      }
    },
    keepOnly: (photos: readonly Photo[]) => stored.tidy(photos.map(stillUrlOf)),
    close() {
      for (const still of kept.values()) URL.revokeObjectURL(still)
      kept.clear()
    },
  }
}
