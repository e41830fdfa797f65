import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { database } from './database.ts'

/** What was seen, with the channel's cursor that it goes up to: together they are a moment one can go on from. */
export type Kept = { cursor: string | undefined; state: DehydratedState; keptAt: number }

const keepAfterMs = 800
/** A media link lives at least 6 hours. */
export const linksLiveMs = 5 * 60 * 60_000
/** What is older is not shown, not even offline. */
const livesMs = 7 * 24 * 60 * 60_000

/** Fills the cache with what this person saw before. Gives the cursor to go on from, unless its media links are dying. */
export const restore = async (client: QueryClient, userId: number): Promise<string | undefined> => {
  try {
    const kept = await (await database()).get('kept', userId)
    if (!kept || Date.now() - kept.keptAt > livesMs) return undefined
    hydrate(client, kept.state)
    return Date.now() - kept.keptAt < linksLiveMs ? kept.cursor : undefined
  } catch {
    return undefined
  }
}

/** Writes the cache down a moment after each change. Returns how to stop. */
export const keep = (client: QueryClient, userId: number, cursor: () => string | undefined) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = async () => {
    timer = undefined
    // Taken before the state: an event told twice changes nothing, one left out would be lost.
    const reached = cursor()
    const state = dehydrate(client, { shouldDehydrateQuery: query => query.state.status === 'success' })
    try {
      await (await database()).put('kept', { cursor: reached, state, keptAt: Date.now() }, userId)
    } catch {
      // A full or private store: then nothing is read offline.
    }
  }
  const later = () => {
    timer ??= setTimeout(() => void write(), keepAfterMs)
  }
  const stop = client.getQueryCache().subscribe(({ type }) => type === 'updated' && later())
  const leaving = () => void (document.visibilityState === 'hidden' && timer && write())
  document.addEventListener('visibilitychange', leaving)
  return () => {
    stop()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', leaving)
  }
}

/** Leaves nothing of this person in the browser. */
export const forgetAll = async (client: QueryClient) => {
  client.clear()
  for (const place of Object.keys(localStorage))
    if (place.startsWith('afterglow.draft.')) localStorage.removeItem(place)
  try {
    const open = await database()
    await Promise.all([open.clear('kept'), open.clear('outbox'), open.clear('uploads')])
  } catch {
    // There was nothing kept.
  }
}
