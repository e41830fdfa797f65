/*
 * A machine that gives us no time gives the service none: what it cannot do then says nothing about it. We notice by our
 * own clock, which is late.
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

/** Whether the machine had no time for us a moment ago. */
export const wasStarved = (): boolean => performance.now() - lateAt < remembersMs
