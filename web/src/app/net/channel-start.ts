import { address, ours } from '../public-path.ts'
import { bearer } from '../session.ts'
import { openStore } from '../store.ts'
import { viewing } from '../viewing.ts'

/** The cursor of stored data, which says where to continue from (persisted-cache.ts). */
export const storedPlace = () => {
  const by = viewing.get()
  return by ? `${ours}.kept.${by.eventId}` : `${ours}.kept`
}

/** The SDK waits as long. */
const withinMs = 15_000

const ask = async (token: string): Promise<string | undefined> => {
  try {
    const headers = { Authorization: `Bearer ${token}` }
    const signal = AbortSignal.timeout(withinMs)
    const reply = await fetch(`${address}/api/realtime/sync?include=extra`, { headers, signal })
    return reply.ok ? (await reply.json()).cursor : undefined
  } catch {
    return undefined
  }
}

const token = bearer()
/**
 * The channel's cursor at a first visit, requested before anything else, so that all loaded data is at least as new.
 * Undefined if it did not arrive: then nobody knows what happened between loading and listening.
 */
export const channelStart = openStore<Promise<string | undefined> | undefined>(
  token && localStorage.getItem(storedPlace()) === null ? ask(token) : undefined,
)
