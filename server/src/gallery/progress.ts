/** Each telling is a row of the log and a frame for everybody in the event. */
const everyPercent = 5

/** Tells how far something is as it rises: seldom, one telling at a time, and what comes meanwhile with the next. */
export const openTelling = ({ everyMs }: { everyMs: number }, tell: (percent: number) => Promise<void>) => {
  let told = 0
  let toldAt = performance.now()
  let telling: Promise<void> | undefined
  return {
    reached(percent: number) {
      if (telling || percent < told + everyPercent || performance.now() < toldAt + everyMs) return
      told = percent
      toldAt = performance.now()
      // It is only news: a telling that fails stops nothing.
      telling = tell(percent)
        .catch(() => {})
        .finally(() => {
          telling = undefined
        })
    },
    /** After this nothing is told any more of what was reached before. */
    end: async () => {
      await telling
    },
  }
}
