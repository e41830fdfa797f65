import { useSyncExternalStore } from 'react'

/** A value outside React that components can subscribe to. */
export type Store<Value> = {
  get(): Value
  set(value: Value): void
  /** Returns an unsubscribe function. */
  follow(listener: (value: Value) => void): () => void
}

export const openStore = <Value>(initial: Value): Store<Value> => {
  let current = initial
  const listeners = new Set<(value: Value) => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener(value)
    },
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.follow, store.get)
