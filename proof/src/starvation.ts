/*
 * On a starved machine the service gets no time either, so its failures prove nothing. A late timer of our own tells
 * us.
 */
const everyMs = 100
const lateMs = 1000
const remembersMs = 60_000

let lateAt = Number.NEGATIVE_INFINITY
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  if (now - last > everyMs + lateMs) lateAt = now
  last = now
}, everyMs).unref()

/** Tells whether the machine was starved a moment ago. */
export const wasStarved = (): boolean => performance.now() - lateAt < remembersMs
