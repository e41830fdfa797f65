import { useEffect, useEffectEvent } from 'react'

/** Pulled this far, or this fast at the end, the sheet closes; otherwise it returns. */
const farMin = 0.3
const fastMin = 0.5
/** A finger that moves less than this still taps. */
const slackPx = 8
const backMs = 220

const holdsStill = matchMedia('(prefers-reduced-motion: reduce)')
const isSheet = matchMedia('(width < 40rem)')

/** The scrollable element under the finger, if it can scroll back: then the finger scrolls it, and not the sheet. */
const scrolledUnder = (target: EventTarget | null, sheet: HTMLElement) => {
  for (let each = target as HTMLElement | null; each && each !== sheet; each = each.parentElement)
    if (each.scrollTop > 0) return true
  return false
}

/**
 * A bottom sheet on a phone follows the finger that pulls it down, and closes when it is released far enough. With
 * reduced motion, it is only closed by its button.
 */
export const useDragDown = (place: HTMLElement | null, onClose: () => void) => {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!place) return
    let from: { y: number; id: number } | undefined
    let pulled = 0
    let last = { y: 0, at: 0, speed: 0 }
    const onStart = (event: TouchEvent) => {
      const [finger] = event.touches
      const isField = (event.target as HTMLElement).closest('input, textarea, select')
      if (!finger || event.touches.length > 1 || isField || !isSheet.matches || holdsStill.matches) return
      if (scrolledUnder(event.target, place)) return
      from = { y: finger.clientY, id: finger.identifier }
      last = { y: finger.clientY, at: event.timeStamp, speed: 0 }
      pulled = 0
    }
    const onMove = (event: TouchEvent) => {
      const [finger] = event.touches
      if (!from || finger?.identifier !== from.id) return
      pulled = finger.clientY - from.y - slackPx
      if (pulled <= 0) {
        // Upwards the finger scrolls.
        if (place.style.transform === '') from = pulled < -slackPx * 2 ? undefined : from
        place.style.transform = ''
        return
      }
      // Otherwise the list within would be pulled as well.
      if (event.cancelable) event.preventDefault()
      const ms = Math.max(event.timeStamp - last.at, 1)
      last = { y: finger.clientY, at: event.timeStamp, speed: (finger.clientY - last.y) / ms }
      place.style.transition = 'none'
      place.style.transform = `translateY(${pulled}px)`
    }
    const onEnd = () => {
      if (!from) return
      from = undefined
      if (pulled <= 0) return
      if (pulled > place.clientHeight * farMin || last.speed > fastMin) {
        place.style.transition = `transform ${backMs}ms ease-in`
        place.style.transform = 'translateY(100%)'
        setTimeout(() => close(), backMs)
      } else {
        place.style.transition = `transform ${backMs}ms ease-out`
        place.style.transform = ''
      }
    }
    place.addEventListener('touchstart', onStart, { passive: true })
    place.addEventListener('touchmove', onMove, { passive: false })
    place.addEventListener('touchend', onEnd)
    place.addEventListener('touchcancel', onEnd)
    return () => {
      place.removeEventListener('touchstart', onStart)
      place.removeEventListener('touchmove', onMove)
      place.removeEventListener('touchend', onEnd)
      place.removeEventListener('touchcancel', onEnd)
    }
  }, [place])
}
