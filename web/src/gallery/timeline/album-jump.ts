import { useEffect, useState } from 'react'
import type { Listed } from '../../app/cache/pages.ts'
import { navigate } from '../../app/router/router.tsx'
import type { PhotoFilter } from '../photo-filter.ts'
import { type Photo, photosPerPage } from '../queries.ts'
import { searchOf } from '../sort-preference.ts'
import { blocks, putBack } from './album-position.ts'

/**
 * Jumps to a photo by the number of photos before it: at once if it is loaded, otherwise with a list that begins there.
 */
export const useJump = (eventId: number, showing: PhotoFilter, listed: Listed<Photo> | undefined) => {
  const [wanted, setWanted] = useState<{ offset: number; below: number | undefined }>()
  const first = ((listed?.pages[0]?.current_page ?? 1) - 1) * photosPerPage
  const end = (listed?.pages.at(-1)?.current_page ?? 0) * photosPerPage
  const isLoaded = (offset: number) => offset >= first && offset < end
  const target = wanted && isLoaded(wanted.offset) ? wanted.offset - first : undefined
  const below = wanted?.below
  useEffect(() => {
    if (target === undefined) return
    // A list that has just arrived is laid out a moment later.
    const look = () => {
      if (showPhoto(target, below)) setWanted(undefined)
      else frame = requestAnimationFrame(look)
    }
    let frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [target, below])
  return (offset: number, below?: number) => {
    setWanted({ offset, below })
    if (isLoaded(offset)) return
    const { from: _, ...asked } = showing
    const from = Math.floor(offset / photosPerPage) + 1
    const search = searchOf(from > 1 ? { ...asked, from } : asked)
    void navigate({ to: '/events/:eventId/photos', params: { eventId }, search, replace: true })
  }
}

/**
 * Scrolls to the element containing the photo after this many loaded ones, or into it; false if it is not laid out yet.
 */
const showPhoto = (index: number, below: number | undefined): boolean => {
  let before = 0
  const block = blocks().find(each => {
    before += Number(each.dataset.length)
    return before > index
  })
  const heading = block?.previousElementSibling
  if (block && below !== undefined) putBack(block, below)
  else (heading?.tagName === 'H2' ? heading : block)?.scrollIntoView({ block: 'start' })
  return block !== undefined
}
