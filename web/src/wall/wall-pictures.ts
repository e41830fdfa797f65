import { stillUrlOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'

/** How many stay in memory: what the wall continues with while the network is down. */
const keptMax = 60
const loadMs = 20_000

/** Pictures as bytes in this page, so that neither an expired link nor a dead network removes one from the screen. */
export const openPictures = () => {
  const kept = new Map<string, string>()
  const load = async (photo: Photo): Promise<string | undefined> => {
    const known = kept.get(photo.id)
    if (known) {
      // Those shown most recently stay longest.
      kept.delete(photo.id)
      kept.set(photo.id, known)
      return known
    }
    // For a video, the poster image: the video itself loads while it plays.
    const url = stillUrlOf(photo)
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(loadMs) })
      if (!reply.ok) return undefined
      const still = URL.createObjectURL(await reply.blob())
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
    close() {
      for (const still of kept.values()) URL.revokeObjectURL(still)
      kept.clear()
    },
  }
}
