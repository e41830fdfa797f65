import { useEffect, useRef } from 'react'
import type { Listed } from '../../app/cache/pages.ts'
import { ours } from '../../app/public-path.ts'
import { type Photo, photosPerPage } from '../queries.ts'

/* A page that is loaded again opens its album where it was left: a distance alone would lead elsewhere, as the list begins anew. */

const place = `${ours}.album.left`
/** What stands over an album at the top of a page. */
const coveredPx = 140

type Left = {
  address: string
  /** How many photos are before the block at the top, and how far that is scrolled into. */
  offset: number
  below: number
}

const isReload = () =>
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload'

const read = (): Left | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Once: whoever comes back by a link begins at the top, and who has gone on by themselves stays there. */
let left = isReload() ? read() : undefined
for (const sign of ['wheel', 'touchmove', 'keydown'])
  addEventListener(
    sign,
    () => {
      left = undefined
    },
    { once: true, passive: true },
  )

/** The blocks of the album, in their order. */
export const blocks = () => [...document.querySelectorAll<HTMLElement>('[data-block]')]

const leave = (address: string, first: number) => {
  let offset = first
  for (const block of blocks()) {
    const { top, bottom } = block.getBoundingClientRect()
    if (bottom > coveredPx) {
      const now: Left = { address, offset, below: coveredPx - top }
      try {
        sessionStorage.setItem(place, JSON.stringify(now))
      } catch {
        // A browser that stores nothing begins at the top.
      }
      return
    }
    offset += Number(block.dataset.length)
  }
}

/** Scrolls so that a block stands where it was left. */
export const putBack = (block: HTMLElement, below: number) =>
  scrollBy(0, block.getBoundingClientRect().top - coveredPx + below)

/** `address` names the album and its order. */
export const useAlbumPlace = (
  address: string,
  listed: Listed<Photo> | undefined,
  jump: (offset: number, below: number) => void,
) => {
  const first = useRef(0)
  first.current = ((listed?.pages[0]?.current_page ?? 1) - 1) * photosPerPage
  useEffect(() => {
    const onLeave = () => leave(address, first.current)
    addEventListener('pagehide', onLeave)
    return () => removeEventListener('pagehide', onLeave)
  }, [address])
  const isThere = listed !== undefined
  useEffect(() => {
    if (!isThere || !left) return
    const { offset, below, address: before } = left
    left = undefined
    // The browser's distance may have been restored as far as the list that begins anew reaches.
    if (before === address && (offset > 0 || below > 0)) jump(offset, below)
  })
}
