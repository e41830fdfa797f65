import { hurried } from './hurried.ts'

/**
 * Pixels between two frames: of 60 a second, two screens of a phone. Where frames come late it is less, as pictures
 * would make them later still.
 */
const hurriedFrom = 25
/** So long a speed is measured. */
const spanMs = 100
/** Without a scroll for so long nobody hurries. */
const restMs = 200

/** Returns how to stop. */
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
