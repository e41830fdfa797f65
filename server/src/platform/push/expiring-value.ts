/** `until` is when a value expires, by performance.now(): changes to the clock do not prolong it. */
export type Expiring = { until: number }

export type Kept<Value extends Expiring> = {
  get(): Promise<Value>
  /** Drops this value if it is still the cached one: of a thousand callers that fail with it, one makes the next. */
  forget(value: Value): void
}

/**
 * Creates a value when needed, once for everybody who is waiting, and keeps it until it expires. A failure is not
 * cached.
 */
export function cacheUntilExpiry<Value extends Expiring>(make: () => Promise<Value>): Kept<Value> {
  let kept: Value | null = null
  let making: Promise<Value> | null = null

  return {
    async get() {
      if (kept && performance.now() < kept.until) return kept
      making ??= make()
        .then(value => (kept = value))
        .finally(() => (making = null))
      return await making
    },
    forget(value) {
      if (kept === value) kept = null
    },
  }
}
