import { stillUrlOf } from '../gallery/film.ts'
import type { Photo } from '../gallery/queries.ts'

/** As many stay in memory: what the wall goes on with while the network is away. */
const keptMax = 60
const loadMs = 20_000

/** Pictures as bytes in this page, so that neither a dead link nor a dead network takes one from the screen. */
export const openPictures = () => {
  const kept = new Map<string, string>()
  const load = async (photo: Photo): Promise<string | undefined> => {
    const known = kept.get(photo.id)
    if (known) {
      // What was shown lately stays longest.
      kept.delete(photo.id)
      kept.set(photo.id, known)
      return known
    }
    // Of a film the still: the film itself comes while it plays.
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
    /** Lets go of what was not shown for longest, but never of what is on the screen. */
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
