import { useCallback } from 'react'
import { whenIdle } from '../app/idle.ts'
import { loaded } from '../app/net/network.ts'
import { addressFor } from '../app/router/link-address.ts'
import { hrefOf as hrefTo, navigate } from '../app/router/router.tsx'
import type { PhotoFilter } from './photo-filter.ts'
import { searchOf } from './sort-preference.ts'

let moving: typeof import('./viewer/view-transition.ts') | undefined
void whenIdle().then(async () => {
  // A photo opens out of its tile without waiting for code.
  void loaded(() => import('./viewer/photo-page.tsx'))
  moving = await loaded(() => import('./viewer/view-transition.ts'))
})

const addressOf = (eventId: number, photoId: string, showing: PhotoFilter) =>
  hrefTo({ to: '/events/:eventId/photos/:photoId', params: { eventId, photoId }, search: searchOf(showing) })

/** Opens a photo from its tile. */
export const useOpening = (eventId: number, showing: PhotoFilter) => {
  const hrefOf = useCallback((photoId: string) => addressFor(addressOf(eventId, photoId, showing)), [eventId, showing])
  const onOpen = useCallback(
    (photoId: string) => {
      const go = () => void navigate({ href: addressOf(eventId, photoId, showing), scrolls: false })
      if (moving) moving.moveOut(photoId, go)
      else go()
    },
    [eventId, showing],
  )
  return { hrefOf, onOpen }
}
