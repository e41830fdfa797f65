import type { RefObject } from 'react'
import type { View } from './history-scroller.tsx'
import type { Missing } from './lazy-rows.ts'

/** A frame that took longer was late. */
const frameMs = 20
/** Rows per frame, while frames are on time. */
const aFrameMax = 3
/** Pixels per millisecond: two phone screens a second. */
const rushFrom = 1.8
/** The time over which a speed is measured. */
const spanMs = 100
/** Without a scroll event for this long, it is over. */
const restMs = 120

/**
 * Renders missing rows, the nearest first, a few in each frame, as time permits. During fast scrolling with late
 * frames, nothing is rendered, and coming rows are mere placeholders: six rows take a slow phone 40 ms, and nobody
 * reads them. Returns a function that wakes it when more is missing.
 */
export const draw = (box: HTMLElement, missing: Missing, inView: RefObject<View>, done: () => void) => {
  let frame = 0
  let before = 0
  let rows = 1
  let rushes = false
  let span: { top: number; from: number; last: number; late: boolean } | undefined
  let rest: ReturnType<typeof setTimeout> | undefined

  const go = () => {
    if (!frame && box.isConnected) frame = requestAnimationFrame(step)
  }
  const step = (now: number) => {
    frame = 0
    if (rushes) return
    // Rests for a frame after a late one: on a slow phone one row takes a whole frame.
    rows = now - before > frameMs && rows >= 1 ? 0.5 : Math.min(rows + 0.5, aFrameMax)
    before = now
    const held = nearest(box.querySelectorAll<HTMLElement>('[data-held]'), inView.current)
    const next = nearest(missing.keys(), inView.current)
    if (held) held.removeAttribute('data-held')
    else for (let row = 1; row <= rows && next; row++) missing.get(next)?.()
    if (held || next) go()
    else done()
  }
  const hold = () => {
    rushes = true
    const { first, last } = inView.current
    for (const block of box.querySelectorAll<HTMLElement>('.away:not(:empty)')) {
      const at = Number(block.dataset.first)
      if (at > last || at + block.childElementCount <= first) block.dataset.held = ''
    }
  }
  const calm = () => {
    span = undefined
    rushes = false
    go()
  }
  const onScroll = ({ timeStamp: now }: Event) => {
    clearTimeout(rest)
    rest = setTimeout(calm, restMs)
    const top = box.scrollTop
    span ??= { top, from: now, last: now, late: false }
    span.late ||= now - span.last > frameMs
    span.last = now
    if (now - span.from < spanMs) return
    const fast = Math.abs(top - span.top) / (now - span.from) >= rushFrom
    if (fast && span.late && !rushes) hold()
    else if (!fast && rushes) calm()
    span = { top, from: now, last: now, late: false }
  }
  box.addEventListener('scroll', onScroll, { passive: true })
  go()
  return go
}

const nearest = (blocks: Iterable<HTMLElement>, { first, last }: View) => {
  let found: HTMLElement | undefined
  let least = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    const at = Number(block.dataset.first)
    const away = at > last ? at - last : first - at
    if (away >= least) continue
    least = away
    found = block
  }
  return found
}
