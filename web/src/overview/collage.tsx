import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../app/cache/pages.ts'
import type { Event } from '../events/queries.ts'
import { lovedMax, mostLoved } from '../gallery/keys.ts'
import { photosQuery } from '../gallery/queries.ts'
import { latestFirst } from './latest-photos.tsx'

/** Over the cover: the newest photo while the event lasts, and the morning after four that are loved most. */
export const Collage = ({ event, phase }: { event: Event; phase: 'during' | 'after' }) => {
  const { data } = useInfiniteQuery(photosQuery(event.id, phase === 'after' ? mostLoved : latestFirst()))
  const [newest, ...others] = rowsOf(data, ({ id }) => id).slice(0, lovedMax)
  const four = others.length === lovedMax - 1
  if (!newest || (phase === 'after' && !four)) return null
  return (
    <div
      aria-hidden="true"
      className={`absolute inset-0 grid gap-1 bg-sunken ${phase === 'after' ? 'grid-cols-2' : ''}`}
    >
      {(phase === 'after' ? [newest, ...others] : [newest]).map(photo => (
        <img
          key={photo.id}
          src={`${photo.event_photo_preview_url}&w=640`}
          alt=""
          decoding="async"
          draggable={false}
          className="size-full min-h-0 animate-fade object-cover"
        />
      ))}
    </div>
  )
}
