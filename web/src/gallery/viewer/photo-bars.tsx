import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  Aperture,
  Download,
  EllipsisVertical,
  Eye,
  EyeOff,
  Film,
  Flag,
  Heart,
  MessageCircle,
  MonitorPlay,
  Pencil,
  Trash2,
} from 'lucide-react'

import { useState } from 'react'
import { applyChanges } from '../../app/cache/change.ts'
import { count } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { session } from '../../app/session.ts'
import { sizeOf } from '../../app/sizes.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { askToReport } from '../../people/report-target.ts'
import { sayFailure } from '../../ui/failure.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Menu } from '../../ui/layers/menu.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { aboutLike, likeOrNot } from '../acts.ts'
import { filmOf } from '../film.ts'
import { FilmState } from '../film-state.tsx'
import type { Photo } from '../queries.ts'
import { hearGallery } from '../reducer.ts'
import { momentOf, nameOfFile, save, savePhoto } from '../save-files.ts'
import { Waits } from '../waits.tsx'
import { canShare, share } from './share.ts'
import type { Shot } from './shot.ts'
import { round, ViewerTop } from './viewer-top.tsx'

type Props = {
  photo: Photo | undefined
  shot: Shot | undefined
  /** Such as “3 of 20”. */
  position: string | undefined
  talking: boolean
  /** There are comments beside it, and not only what is said about it. */
  talks: boolean
  onTalk(): void
  onGone(): void
}

const pill =
  'pointer-events-auto flex h-11 items-center gap-2 rounded-full bg-black/50 px-4 font-semibold text-white backdrop-blur-sm hover:bg-black/80'

/** It waits, or an organizer hid it. */
const isHeld = ({ extra }: Pick<Photo, 'extra'>) => extra.waiting || (extra.hidden && !extra.sealed)

/** Over a large photo: its actions, and its uploader. */
export const PhotoBars = ({ photo, shot, position, talking, talks, onTalk, onGone }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const me = session.get()?.userId ?? 0
  const remove = useMutation({
    mutationFn: ({ id }: Photo) => api.gallery.deletePhoto({ event_photo_id: id }),
    onSuccess: (_, { id, event_id }) => {
      onGone()
      applyChanges(client, hearGallery({ kind: 'photo.deleted', payload: { id, event_id } }, me))
      say(t('gallery.deletedDone', { count: 1 }))
    },
    onError: sayFailure,
  })
  const hide = useMutation({
    mutationFn: ({ id, extra }: Photo) =>
      isHeld({ extra })
        ? api.gallery.unhidePhoto({ event_photo_id: id })
        : api.gallery.hidePhoto({ event_photo_id: id }),
    onSuccess: changed => {
      applyChanges(client, hearGallery({ kind: 'photo.updated', payload: changed }, me))
      if (!changed.extra.hidden || changed.extra.sealed) return void say(t('hiding.undone'))
      say(t('hiding.done'), { label: t('hiding.undo'), act: () => hide.mutate(changed) })
    },
    onError: sayFailure,
  })
  const showNow = useMutation({
    mutationFn: ({ id, event_id }: Photo) =>
      api.wall.saveWall({ event_id: Number(event_id), shown_photo_id: Number(id) }),
    onSuccess: () => say(t('wall.shown')),
    onError: sayFailure,
  })
  const likes = Number(photo?.event_photo_likes_count ?? 0)
  const film = photo?.extra.video_state
  const hiding = photo?.extra.waiting
    ? t('waiting.approve')
    : photo && isHeld(photo)
      ? t('photo.unhide')
      : t('photo.hide')
  const original = photo?.extra.original
  const saving = original ? t('photo.save', { size: sizeOf(original.bytes) }) : t('gallery.download')
  const raw = photo?.extra.raw
  const moment = photo && momentOf(photo)
  const comments = Number(photo?.event_photo_comments_count ?? 0)
  return (
    <>
      <ViewerTop
        position={position}
        onShare={
          photo &&
          shot &&
          (() => void share({ url: shot.film?.url ?? shot.full, name: nameOfFile(photo), title: shot.alt }))
        }
      >
        {photo && !canShare && (
          <button type="button" className={round} aria-label={saving} title={saving} onClick={() => savePhoto(photo)}>
            <Download aria-hidden="true" />
          </button>
        )}
        {photo && (
          <Menu
            trigger={
              <button type="button" className={round} aria-label={t('photo.more')} title={t('photo.more')}>
                <EllipsisVertical aria-hidden="true" />
              </button>
            }
            items={[
              canShare && { label: saving, icon: Download, act: () => savePhoto(photo) },
              raw != null && {
                label: t('photo.saveRaw', { size: sizeOf(raw.bytes) }),
                icon: Aperture,
                act: () => save(raw.url, raw.name),
              },
              moment != null && {
                label: t('photo.saveMoment'),
                icon: Film,
                act: () => save(moment.url, moment.name),
              },
              photo.extra.may.hide === true &&
                !photo.extra.hidden &&
                !photo.extra.waiting && {
                  label: t('wall.showNow'),
                  icon: MonitorPlay,
                  act: () => showNow.mutate(photo),
                },
              photo.extra.may.hide === true && {
                label: hiding,
                icon: isHeld(photo) ? Eye : EyeOff,
                act: () => hide.mutate(photo),
              },
              photo.extra.may.comment &&
                photo.taken_by.id !== me && {
                  label: t('report.act'),
                  icon: Flag,
                  act: () => askToReport('photo', Number(photo.id)),
                },
              photo.extra.may.delete === true && {
                label: t('chat.delete'),
                icon: Trash2,
                act: () => setAsking(true),
                danger: true,
              },
            ]}
          />
        )}
      </ViewerTop>
      {photo && (
        <div
          className={`safe-bottom-3 safe-x-3 pointer-events-none absolute inset-x-0 bottom-0 flex flex-wrap items-end justify-end gap-2 bg-linear-to-t from-black/80 to-transparent pt-14 ${filmOf(photo) ? 'mb-14' : ''} ${talking ? 'max-lg:pt-4' : ''}`}
        >
          <p className={`min-w-[min(100%,8rem)] flex-1 ${talking ? 'max-lg:invisible' : ''}`}>
            {photo.extra.hidden && !photo.extra.sealed && (
              <span className="flex w-fit items-center gap-1.5 rounded-full bg-black/60 px-2.5 py-1 text-sm">
                <EyeOff className="size-4 shrink-0" aria-hidden="true" />
                {t('chat.hidden')}
              </span>
            )}
            {photo.extra.caption && (
              <span className={`line-clamp-3 text-lg ${talking ? 'max-lg:hidden' : ''}`} dir="auto">
                {photo.extra.caption}
              </span>
            )}
            <span className="block truncate text-sm text-white/85" dir="auto">
              {nameOf(photo.taken_by)}
              {photo.extra.photographer && ` · ${t('photo.photographer')}`}
            </span>
            {photo.extra.incomplete && photo.taken_by.id === me && (
              <span className="block text-sm text-white/85">
                {t('photo.incomplete', { name: original?.name ?? photo.id })}
              </span>
            )}
            {film && film.state !== 'ready' && <FilmState film={film} />}
          </p>
          {photo.extra.may.comment && (
            <button
              type="button"
              className={pill}
              aria-pressed={photo.liked}
              aria-label={t('photo.like', { count: likes })}
              onClick={() => likeOrNot(photo)}
            >
              <Heart
                className={`size-5.5 transition ${photo.liked ? 'scale-110 fill-[#ff6b57] text-[#ff6b57]' : ''}`}
                aria-hidden="true"
              />
              {likes > 0 && <span aria-hidden="true">{count(likes)}</span>}
              <Waits about={aboutLike(photo.id)} />
            </button>
          )}
          <button
            type="button"
            className={pill}
            aria-expanded={talking}
            aria-label={talks ? t('photo.talk', { count: comments }) : t('photo.about')}
            onClick={onTalk}
          >
            {talks ? (
              <MessageCircle className="size-5.5" aria-hidden="true" />
            ) : (
              <Pencil className="size-5.5" aria-hidden="true" />
            )}
            {talks && comments > 0 && <span aria-hidden="true">{count(comments)}</span>}
          </button>
        </div>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('gallery.deleteTitle', { count: 1 })}
        about={t('gallery.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => photo && remove.mutate(photo)}
      />
    </>
  )
}
