/** Each announcement is a row in the log and a frame for everybody in the event. */
const everyPercent = 5

/** Announces rising progress: rarely, one announcement at a time; intermediate values go with the next. */
export const openProgressAnnouncer = ({ everyMs }: { everyMs: number }, tell: (percent: number) => Promise<void>) => {
  let told = 0
  let toldAt = performance.now()
  let telling: Promise<void> | undefined
  return {
    reached(percent: number) {
      if (telling || percent < told + everyPercent || performance.now() < toldAt + everyMs) return
      told = percent
      toldAt = performance.now()
      // It is only information: a failed announcement stops nothing.
      telling = tell(percent)
        .catch(() => {})
        .finally(() => {
          telling = undefined
        })
    },
    /** After this, earlier progress is no longer announced. */
    end: async () => {
      await telling
    },
  }
}
