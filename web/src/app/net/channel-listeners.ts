import type { ChannelEvent } from '../cache/change.ts'
import { openStore } from '../store.ts'

/** How updates arrive: over the channel; by polling every few seconds, without a WebSocket; or not yet. */
export const arrivals = openStore<'live' | 'asking' | 'none'>('none')

type Listener = (heard: ChannelEvent) => void
const listeners = new Set<Listener>()
/** Receives every event from now on, such as typing. Returns an unsubscribe function. */
export const listen = (listener: Listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const tell = (heard: ChannelEvent) => {
  for (const listener of [...listeners]) listener(heard)
}
