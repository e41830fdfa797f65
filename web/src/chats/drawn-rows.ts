import { type RefObject, useEffect, useState } from 'react'
import { whenIdle } from '../app/idle.ts'
import type { View } from './history-place.tsx'

type Loaded = {
  /** Places of rows. */
  first: number
  last: number
  /** The last is the last there is. */
  atEnd: boolean
  inView: RefObject<Pick<View, 'first' | 'last'>>
}

/** About a screen on either side of where reading begins. */
const reach = () => Math.ceil(innerHeight / 60)
const around = (place: number) => ({ from: place - reach(), to: place + reach() })

const frameMs = 20
/** Rows, while frames are in time. */
const aFrameMax = 3

/**
 * Which of the loaded rows are drawn: at first those around one, then a few in each frame, as many as there is time for, so
 * that neither what is read first nor a page that has come holds up a frame. Begins when the page has nothing else to do,
 * or when `begin` is called.
 */
export const useDrawn = ({ first, last, atEnd, inView }: Loaded, start: number) => {
  const [wanted, setWanted] = useState(() => around(start))
  const [growing, setGrowing] = useState(false)
  useEffect(() => void whenIdle().then(() => setGrowing(true)), [])
  const from = Math.max(first, Math.min(wanted.from, last))
  // At the end what is written is drawn at once; a page that comes there is not.
  const to = atEnd && wanted.to >= last ? Infinity : Math.max(first, Math.min(wanted.to, last))
  if (from !== wanted.from || to !== wanted.to) setWanted({ from, to })
  const whole = from === first && to >= last
  useEffect(() => {
    if (!growing || whole) return
    let before = 0
    let rows = 1
    let frame = requestAnimationFrame(function draw(now) {
      // After one that came late a frame's rest: on a slow phone one row takes a whole frame.
      rows = now - before > frameMs && rows >= 1 ? 0.5 : Math.min(rows + 0.5, aFrameMax)
      before = now
      const count = Math.floor(rows)
      setWanted(({ from, to }) => {
        const up = to >= last || (from > first && inView.current.first - from <= to - inView.current.last)
        return up ? { from: from - count, to } : { from, to: to + count }
      })
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [growing, whole, first, last, inView])
  return {
    drawn: { from, to: Math.min(to, last) },
    begin: () => setGrowing(true),
    drawAround: (place: number) => setWanted(around(place)),
  }
}
