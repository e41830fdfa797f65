import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { whenIdle } from '../../app/idle.ts'
import { loaded } from '../../app/net/network.ts'
import type { View } from './history-place.tsx'

/** Blocks that lack rows, each with what draws one more. */
export type Missing = Map<HTMLElement, () => void>

/**
 * Draws the rows that were not drawn at first, once the page has nothing else to do or when `begin` is called, so that
 * neither what is read first nor a page that has come holds up a frame. Tells whether some are missing.
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
  // After the blocks have told what they lack.
  useLayoutEffect(() => {
    if (missing.size === 0) return
    setBusy(true)
    wake.current?.()
  })
  return { missing, busy, begin }
}
