import { type RefObject, useEffect, useEffectEvent } from 'react'

/** A finger that moves less than this still taps. */
const slackPx = 8
const farMin = 0.3
const backMs = 180

/** An element in the flow of a page follows the finger that swipes it to the left or to the right. */
export const useSwipeAway = (place: RefObject<HTMLElement | null>, onGone: (to: 'left' | 'right') => void) => {
  const gone = useEffectEvent(onGone)
  useEffect(() => {
    const element = place.current
    if (!element) return
    let from: { x: number; id: number } | undefined
    let moved = 0
    const onDown = ({ pointerType, clientX: x, pointerId: id }: PointerEvent) => {
      moved = 0
      if (pointerType === 'touch') from = { x, id }
    }
    const onMove = ({ pointerId, clientX }: PointerEvent) => {
      if (pointerId !== from?.id) return
      moved = clientX - from.x
      if (Math.abs(moved) < slackPx) return
      element.setPointerCapture(pointerId)
      element.style.transition = 'none'
      element.style.transform = `translateX(${moved}px)`
    }
    const onEnd = () => {
      if (!from) return
      from = undefined
      const leaves = Math.abs(moved) > element.clientWidth * farMin
      element.style.transition = `transform ${backMs}ms ease-out`
      element.style.transform = leaves ? `translateX(${Math.sign(moved) * 120}%)` : ''
      if (leaves) setTimeout(gone, backMs, moved > 0 ? 'right' : 'left')
    }
    const onCancel = () => {
      moved = 0
      onEnd()
    }
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('pointerdown', onDown, { signal })
    element.addEventListener('pointermove', onMove, { signal })
    element.addEventListener('pointerup', onEnd, { signal })
    element.addEventListener('pointercancel', onCancel, { signal })
    return () => stop.abort()
  }, [place])
}
