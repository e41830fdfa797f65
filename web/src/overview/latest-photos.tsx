import { useInfiniteQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { useSettled } from '../app/idle.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useAlt } from '../gallery/alt.ts'
import { type Photo, photosQuery } from '../gallery/queries.ts'
import { ownSort } from '../gallery/sort-preference.ts'
import { Blurred } from '../ui/pictures/blurred.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const most = 12
/** The others lie beyond the edge of a phone, and wait until the page is there. */
const firstSeen = 4

/** As the album will be, if that begins with the latest. */
export const latestFirst = () => (ownSort.get() === 'taken_newest' ? { sort: 'taken_newest' as const } : {})

/** The latest photos of the album, as a strip; the whole page of them is loaded, so that the album opens at once. */
export const LatestPhotos = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const { data, isPending } = useInfiniteQuery(photosQuery(eventId, latestFirst()))
  const settled = useSettled()
  const all = rowsOf(data, ({ id }) => id)
  const photos = all.slice(0, settled ? most : firstSeen)
  // What was there before: the others move in.
  const before = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (data) before.current = new Set(all.map(({ id }) => id))
  })
  if (isPending) return <Skeleton className="h-28 rounded-2xl" />
  if (photos.length === 0) return null
  return (
    <ul
      aria-label={t('event.latest')}
      className="scroll-thin -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-0"
    >
      {photos.map(photo => (
        <li
          key={photo.id}
          className={`shrink-0 ${before.current && !before.current.has(photo.id) ? 'animate-rise' : ''}`}
        >
          <Link
            href={`/events/${eventId}/photos/${photo.id}`}
            data-photo={photo.id}
            className="relative block size-26 overflow-hidden rounded-2xl bg-sunken"
          >
            <PhotoPicture photo={photo} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A photo, filling its place. */
export const PhotoPicture = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const { video, thumbhash } = photo.extra
  return (
    <>
      <Blurred thumbhash={thumbhash} />
      <img
        src={`${photo.event_photo_preview_url}&w=400`}
        alt={useAlt(photo)}
        decoding="async"
        draggable={false}
        className="absolute inset-0 size-full object-cover"
      />
      {video && (
        <span className="absolute end-1.5 top-1.5 grid size-7 place-items-center rounded-full bg-black/60 text-white">
          <Play className="size-4 fill-current" />
          <span className="sr-only">{t('gallery.film')}</span>
        </span>
      )}
    </>
  )
}
