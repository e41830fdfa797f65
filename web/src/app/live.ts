import type { Heard } from './change.ts'

type Listener = (heard: Heard) => void
const listeners = new Set<Listener>()
/** Hears every event that comes after now, such as somebody typing. Returns how to stop. */
export const listen = (listener: Listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells everybody who listens. */
export const tell = (heard: Heard) => {
  for (const listener of [...listeners]) listener(heard)
}
