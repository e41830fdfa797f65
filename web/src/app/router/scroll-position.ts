import { useLayoutEffect, useRef } from 'react'
import { ours } from '../public-path.ts'
import { readKept } from '../storage/storage.ts'
import type { CurrentPage } from './current-page.ts'
import { followVisits } from './history.ts'

const place = `${ours}.scroll`
const placesMax = 100
/** The window, and the scrollable elements within it. */
const scrolling = () => [document.documentElement, ...document.querySelectorAll('[data-scrolls]')]

/** A page is restored to its scroll position on return; a new page begins at its top. */
export const useScroll = (shown: CurrentPage | undefined) => {
  const before = useRef<{ address: string; parts: CurrentPage['parts'] }>(undefined)
  useLayoutEffect(() => {
    if (!shown) return
    window.history.scrollRestoration = 'manual'
    const { visit, parts, whole } = shown
    const address = visit.path + visit.search
    const places = readKept<Record<string, number[]>>(sessionStorage.getItem(place)) ?? {}
    // A page under a closed layer never left.
    const stayed =
      before.current?.parts.length !== parts.length && parts.every((part, at) => part === before.current?.parts[at])
    if (visit.scrolls && address !== before.current?.address && !stayed)
      for (const [at, element] of scrolling().entries()) element.scrollTop = places[visit.key]?.[at] ?? 0
    if (whole) before.current = { address, parts }
    const keep = () => {
      const { [visit.key]: _, ...others } = places
      const kept = Object.entries(others).slice(1 - placesMax)
      kept.push([visit.key, scrolling().map(({ scrollTop }) => Math.round(scrollTop))])
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(kept)))
    }
    const stop = followVisits(keep)
    window.addEventListener('pagehide', keep)
    return () => {
      stop()
      window.removeEventListener('pagehide', keep)
    }
  }, [shown])
}
