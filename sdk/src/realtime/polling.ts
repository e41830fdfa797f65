/* Polling while there is no channel: every few seconds as long as somebody is looking. */

type PollingOptions = {
  /** Asks once. Returns whether anything was new; throws if there was no answer. */
  ask(): Promise<boolean>
  /** Whether anybody looks at what is new. */
  mayAsk(): boolean
}

/** A conversation goes on: after something new, the next question comes sooner. */
const soonMs = 2_000
const seldomMs = 6_000
/** While the service is away or says that it is asked too often. */
const restMs = 30_000
const growth = 1.5

/** Asks again and again, from `begin` to `stop`. */
export const openPolling = ({ ask, mayAsk }: PollingOptions) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let everyMs = soonMs
  /** Incremented with each beginning and end, so that an answer from before leads to no further question. */
  let run = 0

  const next = (ms: number) => {
    clearTimeout(timer)
    const mine = run
    // Not all guests at the same moment.
    timer = setTimeout(() => void once(mine), ms * (0.9 + Math.random() * 0.2))
  }
  const once = async (mine: number) => {
    timer = undefined
    if (!mayAsk()) return
    let least = 0
    try {
      everyMs = (await ask()) ? soonMs : Math.min(everyMs * growth, seldomMs)
    } catch (error) {
      everyMs = Math.min(everyMs * growth, restMs)
      least = ((error as { retryAfterSeconds?: number }).retryAfterSeconds ?? 0) * 1000
    }
    if (mine === run) next(Math.max(everyMs, least))
  }

  return {
    begin(afterMs: number) {
      run += 1
      everyMs = soonMs
      next(afterMs)
    },
    stop() {
      run += 1
      clearTimeout(timer)
    },
  }
}
