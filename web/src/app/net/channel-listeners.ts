import type { Heard } from '../cache/change.ts'
import { openStore } from '../store.ts'

/**
 * How what is new arrives: over the channel; by asking every few seconds, where no WebSocket gets through; or not yet.
 */
export const arrivals = openStore<'live' | 'asking' | 'none'>('none')

type Listener = (heard: Heard) => void
const listeners = new Set<Listener>()
/** Receives every event from now on, such as somebody typing. Returns an unsubscribe function. */
export const listen = (listener: Listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies all listeners. */
export const tell = (heard: Heard) => {
  for (const listener of [...listeners]) listener(heard)
}
