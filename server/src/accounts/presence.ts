import { LRUCache } from 'lru-cache'

/** A device counts as active this long after its last ping: a crashed app becomes inactive by itself. */
export const presenceTtlSeconds = 60

export type Presence = {
  /** Returns until when the device counts as active without another ping. */
  ping(deviceRow: number): Date
  disconnect(deviceRow: number): void
  isActive(deviceRow: number): boolean
}

/** Which devices' apps are active. A lease of a minute is worth no disk write: a restart means inactive, which only means push. */
export const openPresence = (): Presence => {
  const activeUntil = new LRUCache<number, true>({ max: 200_000, ttl: presenceTtlSeconds * 1000 })
  return {
    ping(deviceRow) {
      activeUntil.set(deviceRow, true)
      return new Date(Date.now() + presenceTtlSeconds * 1000)
    },
    disconnect: deviceRow => void activeUntil.delete(deviceRow),
    isActive: deviceRow => activeUntil.has(deviceRow),
  }
}
