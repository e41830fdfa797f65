import { openStore } from '../app/store.ts'

/*
 * Detects fast scrolling through an album. Photos that rush past are not looked at, and loading and drawing them would
 * take bandwidth and frames from those that are: until scrolling slows down, they are shown as colours.
 */
export const hurried = openStore(false)

/**
 * Pixels per frame: at 60 frames a second, two phone screens a second. If frames are late the threshold is lower,
 * because pictures would make them even later.
 */
const hurriedFrom = 25
/** The time over which a speed is measured. */
const spanMs = 100
/** Without a scroll event for this long, it is over. */
const restMs = 200

/** Returns an unsubscribe function. */
export const watchHurry = () => {
  let rest: ReturnType<typeof setTimeout> | undefined
  let from: { y: number; at: number; frames: number } | undefined
  const end = () => {
    from = undefined
    hurried.set(false)
  }
  const onScroll = ({ timeStamp: at }: Event) => {
    clearTimeout(rest)
    rest = setTimeout(end, restMs)
    if (!from) from = { y: scrollY, at, frames: 0 }
    else from.frames++
    if (at - from.at < spanMs) return
    hurried.set(Math.abs(scrollY - from.y) / from.frames >= hurriedFrom)
    from = { y: scrollY, at, frames: 0 }
  }
  addEventListener('scroll', onScroll, { passive: true })
  return () => {
    removeEventListener('scroll', onScroll)
    clearTimeout(rest)
    end()
  }
}
