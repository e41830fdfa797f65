import { useEffect, useRef } from 'react'
import type { Listed } from '../../app/cache/pages.ts'
import { ours } from '../../app/public-path.ts'
import { readKept } from '../../app/storage/storage.ts'
import { type Photo, photosPerPage } from '../queries.ts'

/* A reloaded page opens its album where it was left: a distance alone would lead elsewhere, as the list begins anew. */

const place = `${ours}.album.left`
/** The height of the header over an album at the top of a page. */
const coveredPx = 140

type AlbumPosition = {
  address: string
  /** How many photos are before the block at the top, and how far that is scrolled into. */
  offset: number
  below: number
}

const isReload = () =>
  (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload'

/** Used once: a viewer who returns by a link begins at the top, and one who has moved on stays there. */
let left = isReload() ? readKept<AlbumPosition>(sessionStorage.getItem(place)) : undefined
for (const sign of ['wheel', 'touchmove', 'keydown'])
  addEventListener(
    sign,
    () => {
      left = undefined
    },
    { once: true, passive: true },
  )

export const blocks = () => [...document.querySelectorAll<HTMLElement>('[data-block]')]

const leave = (address: string, first: number) => {
  let offset = first
  for (const block of blocks()) {
    const { top, bottom } = block.getBoundingClientRect()
    if (bottom > coveredPx) {
      const now: AlbumPosition = { address, offset, below: coveredPx - top }
      return sessionStorage.setItem(place, JSON.stringify(now))
    }
    offset += Number(block.dataset.length)
  }
}

/** Scrolls a block to its previous position. */
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
    // The browser may have restored its distance as far as the renewed list reaches.
    if (before === address && (offset > 0 || below > 0)) jump(offset, below)
  })
}
