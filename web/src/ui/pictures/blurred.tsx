import { useCallback } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

/** A picture's colours, from its 25-byte hash, in its place until it has arrived, next to the picture. */
export const Blurred = ({ thumbhash }: { thumbhash: string | undefined }) => {
  const ref = useCallback((image: HTMLImageElement) => blurSoon(image, thumbhash ?? ''), [thumbhash])
  if (!thumbhash) return null
  const style = { backgroundColor: averageOf(thumbhash) }
  return <img ref={ref} alt="" decoding="async" className="absolute inset-0 size-full object-cover" style={style} />
}

/** Computed as in the hash's own code, without drawing. */
export const averageOf = (thumbhash: string): string | undefined => {
  const [low = 0, middle = 0, high = 0] = bytesOf(thumbhash.slice(0, 4))
  const bits = low | (middle << 8) | (high << 16)
  const [light, yellow, red] = [(bits & 63) / 63, ((bits >> 6) & 63) / 31.5 - 1, ((bits >> 12) & 63) / 31.5 - 1]
  const b = light - (2 / 3) * yellow
  const r = (3 * light - b + red) / 2
  return `rgb(${[r, r - red, b].map(part => Math.round(255 * part)).join()})`
}

const bytesOf = (base64: string): Uint8Array => {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** By image; the longest waiting one first. */
const waiting = new Map<HTMLImageElement, { thumbhash: string; since: number }>()
let drawing = false
let drawnOnce = false

const blurSoon = (image: HTMLImageElement, thumbhash: string) => {
  waiting.set(image, { thumbhash, since: drawnOnce ? performance.now() : 0 })
  if (!drawing) void drawAll()
  return () => void waiting.delete(image)
}

/**
 * Nearly every picture has arrived by then, and drawing its colours would be wasted; a page's first ones need not wait.
 */
const patienceMs = 200

const drawAll = async () => {
  drawing = true
  try {
    let left = () => 0
    for (const [image, { thumbhash, since }] of waiting) {
      const early = since + patienceMs - performance.now()
      if (early > 0) await new Promise(resolve => setTimeout(resolve, early))
      if (!waiting.delete(image) || hasArrived(image)) continue
      // Waits between frames, except for the first.
      if (since > 0 && left() < drawMs) left = await idle()
      image.src = thumbHashToDataURL(bytesOf(thumbhash))
    }
  } catch {
    // An invalid hash: the place stays plain.
  } finally {
    drawing = false
    drawnOnce = true
  }
}

/** The time that one may take, on a slow phone. */
const drawMs = 2

/** When the page is idle; returns how much time is left. */
const idle = () =>
  new Promise<() => number>(resolve => {
    if (window.requestIdleCallback)
      window.requestIdleCallback(deadline => resolve(() => deadline.timeRemaining()), { timeout: patienceMs })
    else setTimeout(() => resolve(() => 0), 16)
  })

const hasArrived = (image: HTMLImageElement): boolean =>
  [...(image.parentElement?.getElementsByTagName('img') ?? [])].some(
    each => each !== image && each.complete && each.naturalWidth > 0,
  )
