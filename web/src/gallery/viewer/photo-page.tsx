import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../app/cache/pages.ts'
import { whenIdle } from '../../app/idle.ts'
import { lazy } from '../../app/router/lazy.tsx'
import { useParams } from '../../app/router/router.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { stillUrlOf } from '../film.ts'
import { photosQuery } from '../queries.ts'
import { useShowing } from '../sort-preference.ts'
import { shownOnTile } from '../tile-pictures.ts'

const viewer = () => import('./photo-viewer.tsx')
// Loaded after the album, whose photos would otherwise wait for it.
void whenIdle()
  .then(viewer)
  .catch(() => {})

/** One photo in large over its album: at first alone, then with the code for swiping, zooming and comments. */
export const PhotoPage = lazy(() => viewer().then(({ PhotoViewer }) => PhotoViewer), <Alone />, <Alone sharp />)

/** The picture of its tile; the viewer knows which size the screen needs, and without it any is better than none. */
function Alone({ sharp = false }: { sharp?: boolean }) {
  const { eventId, photoId } = useParams('/events/:eventId/photos/:photoId')
  const list = useInfiniteQuery(photosQuery(eventId, useShowing()))
  const photo = rowsOf(list.data, ({ id }) => id).find(({ id }) => id === photoId)
  return (
    <div className="fixed inset-0 z-50 grid place-items-center bg-black text-white">
      {photo ? (
        [
          shownOnTile(photo.event_photo_preview_url) ?? photo.event_photo_preview_url,
          ...(sharp ? [stillUrlOf(photo)] : []),
        ].map(src => <img key={src} src={src} alt="" className="absolute inset-0 size-full object-contain" />)
      ) : (
        <Spinner />
      )}
    </div>
  )
}
