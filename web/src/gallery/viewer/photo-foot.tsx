import { EyeOff, Heart, MessageCircle, Pencil } from 'lucide-react'
import { count } from '../../app/date-format.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { PendingSign } from '../../ui/pending-sign.tsx'
import { aboutLike, likeOrNot } from '../acts.ts'
import { filmOf } from '../film.ts'
import { FilmState } from '../film-state.tsx'
import type { Photo } from '../queries.ts'

type Props = {
  photo: Photo
  talking: boolean
  /** The comments stand beside it, and not only their count. */
  talks: boolean
  onTalk(): void
}

/** The foot of a large photo: its caption and uploader, the heart, and the way to its comments. */
export const PhotoFoot = ({ photo, talking, talks, onTalk }: Props) => (
  <div
    className={`safe-bottom-3 safe-x-3 pointer-events-none absolute inset-x-0 bottom-0 flex flex-wrap items-end justify-end gap-2 bg-linear-to-t from-black/80 to-transparent pt-14 ${filmOf(photo) ? 'mb-14' : ''} ${talking ? 'max-lg:pt-4' : ''}`}
  >
    <PhotoWords photo={photo} talking={talking} />
    {photo.extra.may.comment && <LikeButton photo={photo} />}
    <TalkButton {...{ photo, talking, talks, onTalk }} />
  </div>
)

const PhotoWords = ({ photo, talking }: { photo: Photo; talking: boolean }) => {
  const { t } = useWords()
  const { hidden, sealed, caption, photographer, incomplete, original, video_state: film } = photo.extra
  return (
    <p className={`min-w-[min(100%,8rem)] flex-1 ${talking ? 'max-lg:invisible' : ''}`}>
      {hidden && !sealed && (
        <span className="flex w-fit items-center gap-2 rounded-full bg-black/60 px-2 py-1 text-sm">
          <EyeOff className="size-4 shrink-0" />
          {t('chat.hidden')}
        </span>
      )}
      {caption && (
        <span className={`line-clamp-3 text-base ${talking ? 'max-lg:hidden' : ''}`} dir="auto">
          {caption}
        </span>
      )}
      <span className="block truncate text-sm text-white/85" dir="auto">
        {nameOf(photo.taken_by)}
        {photographer && ` · ${t('photo.photographer')}`}
      </span>
      {incomplete && photo.taken_by.id === session.get()?.userId && (
        <span className="block text-sm text-white/85">
          {t('photo.incomplete', { name: original?.name ?? photo.id })}
        </span>
      )}
      {film && film.state !== 'ready' && <FilmState film={film} />}
    </p>
  )
}

const pill =
  'pointer-events-auto flex h-11 items-center gap-2 rounded-full bg-black/50 px-4 font-semibold text-white backdrop-blur-sm hover:bg-black/80'

const LikeButton = ({ photo }: { photo: Photo }) => {
  const { t } = useWords()
  const likes = Number(photo.event_photo_likes_count)
  return (
    <button
      type="button"
      className={pill}
      aria-pressed={photo.liked}
      aria-label={t('photo.like', { count: likes })}
      onClick={() => likeOrNot(photo)}
    >
      <Heart className={`size-5.5 transition ${photo.liked ? 'scale-110 fill-[#ff6b57] text-[#ff6b57]' : ''}`} />
      {likes > 0 && <span aria-hidden="true">{count(likes)}</span>}
      <PendingSign about={aboutLike(photo.id)} />
    </button>
  )
}

const TalkButton = ({ photo, talking, talks, onTalk }: Props) => {
  const { t } = useWords()
  const comments = Number(photo.event_photo_comments_count)
  const Sign = talks ? MessageCircle : Pencil
  return (
    <button
      type="button"
      className={pill}
      aria-expanded={talking}
      aria-label={talks ? t('photo.talk', { count: comments }) : t('photo.about')}
      onClick={onTalk}
    >
      <Sign className="size-5.5" />
      {talks && comments > 0 && <span aria-hidden="true">{count(comments)}</span>}
    </button>
  )
}
