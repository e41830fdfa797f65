/** `until` when a value may be used, by performance.now(): no correction of the clock makes an old one live longer. */
export type Lasting = { until: number }

export type Kept<Value extends Lasting> = {
  get(): Promise<Value>
  /** Drops this value if it is still the kept one: of a thousand that fail with it, one makes the next. */
  forget(value: Value): void
}

/** Makes a value when it is needed, once for everybody who waits, and keeps it until it ends. A failure is not kept. */
export function keep<Value extends Lasting>(make: () => Promise<Value>): Kept<Value> {
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
