import { Clock3, EyeOff, Heart, Hourglass, MessageCircle, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '../app/date-format.ts'
import { useWords } from '../app/words.ts'
import type { Photo } from './queries.ts'

/** Badges: its kind, or the reason why not everybody sees it. */
export const Signs = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const { video, waiting, new_words, sealed, hidden } = photo.extra
  return (
    <>
      {video && (
        <Sign label={t('gallery.film')} className="top-1.5">
          <Play className="size-4 fill-current" />
        </Sign>
      )}
      {waiting || new_words ? (
        <span className="absolute end-1.5 bottom-1.5 flex items-center gap-1 rounded-full bg-black/60 px-2 py-1 text-xs font-semibold text-white">
          <Clock3 className="size-3.5" />
          {t('gallery.waiting')}
        </span>
      ) : sealed ? (
        <Sign label={t('reveal.sealed')} className="bottom-1.5">
          <Hourglass className="size-4" />
        </Sign>
      ) : (
        hidden && (
          <Sign label={t('gallery.hidden')} className="bottom-1.5">
            <EyeOff className="size-4" />
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

/** The numbers of likes and comments. */
export const Numbers = ({ photo }: { photo: Photo }) => {
  const likes = Number(photo.event_photo_likes_count)
  const comments = Number(photo.event_photo_comments_count)
  if (likes + comments === 0) return null
  return (
    <span
      aria-hidden="true"
      className="absolute start-1.5 bottom-1.5 flex items-center gap-2 rounded-full bg-black/55 px-2 py-1 text-xs font-semibold text-white"
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
