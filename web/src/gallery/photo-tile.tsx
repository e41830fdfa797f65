import { Check, Clock3, EyeOff, Heart, Hourglass, MessageCircle, Play } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { count } from '../app/date-format.ts'
import { isPlainClick } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { averageOf, Blurred } from '../ui/pictures/blurred.tsx'
import { useAlt } from './alt.ts'
import type { Photo } from './queries.ts'

export type TileProps = {
  photo: Photo
  width: number
  height: number
  /** Within 400 px, half of the bytes. */
  small: boolean
  hrefOf(id: string): string
  /** Within the page. */
  onOpen(id: string): void
  selecting: boolean
  selected: boolean
  onSelect(id: string): void
  /** Seen first, so it is loaded without waiting for scrolling. */
  first: boolean
  /** At the top of those: it is loaded before the others. */
  top: boolean
  /** Not to be looked at yet: scrolled past too fast, or below the first screen. */
  passing: boolean
}

/** A photo in the album: opens, or is selected while selecting. */
export const PhotoTile = memo((props: TileProps) => {
  const { photo, width, height, small, hrefOf, onOpen, selecting, selected, onSelect, first, top, passing } = props
  const alt = useAlt(photo)
  const picture = !passing && (
    <>
      <Blurred thumbhash={photo.extra.thumbhash} />
      <img
        src={photo.event_photo_preview_url + (small ? '&w=400' : '')}
        alt={alt}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={top ? 'high' : 'low'}
        decoding="async"
        draggable={false}
        className={`absolute inset-0 size-full object-cover transition duration-200 ${selected ? 'scale-90 rounded-xl' : 'group-hover:scale-[1.02]'}`}
      />
      <Signs photo={photo} />
      <Numbers photo={photo} />
    </>
  )
  const style = { width, height, ...(passing && { backgroundColor: averageOf(photo.extra.thumbhash ?? '') }) }
  const look = 'group relative block shrink-0 overflow-hidden rounded-md bg-sunken lg:rounded-lg'
  if (selecting)
    return (
      <button type="button" aria-pressed={selected} onClick={() => onSelect(photo.id)} style={style} className={look}>
        {picture}
        <span
          aria-hidden="true"
          className={`absolute start-1.5 top-1.5 grid size-7 place-items-center rounded-full border-2 border-white ${selected ? 'bg-ember text-on-ember' : 'bg-black/40'}`}
        >
          {selected && <Check className="size-4.5" />}
        </span>
      </button>
    )
  return (
    <a
      href={hrefOf(photo.id)}
      onClick={event => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onOpen(photo.id)
      }}
      data-photo={photo.id}
      style={style}
      className={look}
    >
      {picture}
    </a>
  )
})

/** What it is, or why not everybody sees it. */
const Signs = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const { video, waiting, sealed, hidden } = photo.extra
  return (
    <>
      {video && (
        <Sign label={t('gallery.film')} className="top-1.5">
          <Play className="size-4 fill-current" aria-hidden="true" />
        </Sign>
      )}
      {waiting ? (
        <span className="absolute end-1.5 bottom-1.5 flex items-center gap-1 rounded-full bg-black/60 px-2 py-0.5 text-xs font-semibold text-white">
          <Clock3 className="size-3.5" aria-hidden="true" />
          {t('gallery.waiting')}
        </span>
      ) : sealed ? (
        <Sign label={t('reveal.sealed')} className="bottom-1.5">
          <Hourglass className="size-4" aria-hidden="true" />
        </Sign>
      ) : (
        hidden && (
          <Sign label={t('gallery.hidden')} className="bottom-1.5">
            <EyeOff className="size-4" aria-hidden="true" />
          </Sign>
        )
      )}
    </>
  )
}

const Sign = ({ label, className, children }: { label: string; className: string; children: ReactNode }) => (
  <span className={`absolute end-1.5 grid size-7 place-items-center rounded-full bg-black/60 text-white ${className}`}>
    {children}
    <span className="sr-only">{label}</span>
  </span>
)

const Numbers = ({ photo }: { photo: Photo }) => {
  const likes = Number(photo.event_photo_likes_count)
  const comments = Number(photo.event_photo_comments_count)
  if (likes + comments === 0) return null
  return (
    <span
      aria-hidden="true"
      className="absolute start-1.5 bottom-1.5 flex items-center gap-1.5 rounded-full bg-black/55 px-2 py-0.5 text-xs font-semibold text-white"
    >
      {likes > 0 && (
        <span className="flex items-center gap-1">
          <Heart className={`size-3.5 ${photo.liked ? 'fill-current' : ''}`} />
          {count(likes)}
        </span>
      )}
      {comments > 0 && (
        <span className="flex items-center gap-1">
          <MessageCircle className="size-3.5" />
          {count(comments)}
        </span>
      )}
    </span>
  )
}
