/* How many files to send at once: as many as increase the total speed. */

export type Lanes = {
  /** How many may be sent now. */
  open(): number
  /** Bytes that have been sent. */
  passed(bytes: number): void
  /** Something did not get through. */
  broke(): void
  /** Called at regular intervals. */
  look(): void
}

export const lanesMin = 2
export const lanesMax = 4
const everyMs = 8000
/** An additional lane stays open if the total speed rises by this factor. */
const gain = 1.1
/** After a lane that gained nothing, none is tried for this many measurements. */
const restLooks = 8

/**
 * Sends what `next` returns, as many at once as there are lanes, until it returns nothing and all are done. `send`
 * handles everything itself and never rejects. `follow` receives a function to call when there may be more.
 */
export const sendThrough = <Item>(
  next: () => Item | undefined,
  send: (item: Item, lanes: Lanes) => Promise<void>,
  follow: (look: () => void) => () => void = () => () => {},
): Promise<void> =>
  new Promise(resolve => {
    const lanes = openLanes()
    let busy = 0
    const fill = () => {
      while (busy < lanes.open()) {
        const item = next()
        if (item === undefined) break
        busy += 1
        void send(item, lanes).finally(() => {
          busy -= 1
          fill()
        })
      }
      if (busy > 0) return
      clearInterval(looking)
      stopFollowing()
      resolve()
    }
    const looking = setInterval(() => {
      lanes.look()
      fill()
    }, everyMs)
    const stopFollowing = follow(fill)
    fill()
  })

/** Tries one more lane at a time, and closes it again if it gains nothing or the network breaks. */
export const openLanes = (): Lanes => {
  let open = lanesMin
  let bytes = 0
  /** Bytes sent in the measurement before the lane being tried. */
  let before: number | undefined
  let rest = 1
  const close = () => {
    open = Math.max(lanesMin, open - 1)
    before = undefined
    rest = restLooks
  }
  return {
    open: () => open,
    passed: more => {
      bytes += more
    },
    broke: close,
    look() {
      const now = bytes
      bytes = 0
      if (before !== undefined) {
        if (now < before * gain) return close()
        before = undefined
      }
      if (rest > 0) rest -= 1
      else if (open < lanesMax && now > 0) {
        before = now
        open += 1
      }
    },
  }
}
