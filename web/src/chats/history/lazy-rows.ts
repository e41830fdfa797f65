import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { whenIdle } from '../../app/idle.ts'
import { loaded } from '../../app/net/network.ts'
import type { View } from './history-scroller.tsx'

/** Blocks with missing rows, each with a function that renders one more. */
export type Missing = Map<HTMLElement, () => void>

/**
 * Renders the rows that were not rendered at first, once the page is idle or when `begin` is called, so that neither
 * the first visible rows nor a page that has arrived holds up a frame. Tells whether some are missing.
 */
export const useDrawing = (box: () => HTMLElement | undefined, inView: RefObject<View>) => {
  const [missing] = useState((): Missing => new Map())
  const [busy, setBusy] = useState(false)
  const wake = useRef<() => void>(undefined)
  const begin = useCallback(async () => {
    const place = box()
    if (wake.current || !place) return
    wake.current = () => {}
    const { draw } = await loaded(() => import('./render-scheduler.ts'))
    wake.current = draw(place, missing, inView, () => setBusy(false))
  }, [box, missing, inView])
  useEffect(() => void whenIdle().then(begin), [begin])
  // Runs after the blocks have reported their missing rows.
  useLayoutEffect(() => {
    if (missing.size === 0) return
    setBusy(true)
    wake.current?.()
  })
  return { missing, busy, begin }
}
