import { Download } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useMemo, useState } from 'react'
import { count } from '../../app/date-format.ts'
import { useLayer } from '../../app/router/history.ts'
import { sizeOf } from '../../app/sizes.ts'
import { useWords } from '../../app/words.ts'
import { save } from '../../gallery/save-files.ts'
import { stepOf } from '../../gallery/viewer/arrow-keys.ts'
import { PhotoStage } from '../../gallery/viewer/lightbox.tsx'
import { share } from '../../gallery/viewer/share.ts'
import type { Shot } from '../../gallery/viewer/shot.ts'
import { round, ViewerTop } from '../../gallery/viewer/viewer-top.tsx'
import { nameOf } from '../../people/names.ts'
import { useOpener } from '../../ui/layers/opener.ts'
import type { Attachment } from '../queries.ts'
import { AlbumButton } from './album-button.tsx'

/** The pictures of one message, large, one after the other, as those of an album. */
const PictureViewer = ({
  attachments,
  start,
  onClose,
}: {
  attachments: Attachment[]
  start: number
  onClose(): void
}) => {
  const { t } = useWords()
  const giveBack = useOpener()
  useLayer(onClose)
  const [at, setAt] = useState(start)
  const titles = useMemo(
    () =>
      attachments.map(({ user }, index) =>
        t('chat.pictureOf', { number: index + 1, total: attachments.length, name: nameOf(user) }),
      ),
    [attachments, t],
  )
  const shots = useMemo(
    () => attachments.map((each, index) => shotOf(each, titles[index] ?? '')),
    [attachments, titles],
  )
  const shown = attachments[at]
  const shot = shots[at]
  if (!shown || !shot) return null
  const original = shown.extra.original
  const name = original?.name ?? `picture-${shown.id}.jpg`
  const saving = original ? t('photo.save', { size: sizeOf(original.bytes) }) : t('gallery.download')
  const go = (to: number) => attachments[to] && setAt(to)
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 animate-fade text-white outline-none"
          onOpenAutoFocus={event => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement | null)?.focus()
          }}
          onCloseAutoFocus={giveBack}
          onKeyDown={({ key, target }) => {
            const step = stepOf(key)
            if (step && !(target as HTMLElement).closest('.yarl__container')) go(at + step)
          }}
        >
          <Dialog.Title className="sr-only">{titles[at]}</Dialog.Title>
          <PhotoStage shots={shots} at={at} onView={setAt} onClose={onClose} />
          <ViewerTop
            position={
              attachments.length > 1
                ? t('photo.position', { number: count(at + 1), total: count(attachments.length) })
                : undefined
            }
            onShare={() => void share({ url: shot.full, name, title: shot.alt })}
          >
            <button
              type="button"
              className={round}
              aria-label={saving}
              title={saving}
              onClick={() => save(original?.url ?? shot.full, name)}
            >
              <Download aria-hidden="true" />
            </button>
          </ViewerTop>
          <div className="safe-bottom-3 safe-x-4 pointer-events-none absolute inset-x-0 bottom-0 flex min-h-24 items-end bg-linear-to-t from-black/80 to-transparent">
            <p className="min-w-0 flex-1 truncate pb-1 text-sm text-white/85" dir="auto">
              {nameOf(shown.user)}
            </p>
            <div className="pointer-events-auto relative h-12 w-40 max-w-1/2">
              <AlbumButton attachment={shown} />
            </div>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

export default PictureViewer

const filmOf = ({ extra: { video_state: film }, message_attachment_url: url }: Attachment) =>
  film?.state === 'ready' ? { url, poster: film.poster_url } : undefined

const shotOf = (attachment: Attachment, alt: string): Shot => {
  const { id, extra, message_attachment_url } = attachment
  const film = filmOf(attachment)
  return {
    id: String(id),
    alt,
    width: extra.width,
    height: extra.height,
    thumbhash: extra.thumbhash,
    preview: extra.preview_url,
    screen: extra.screen_url,
    full: film?.poster ?? message_attachment_url,
    film,
  }
}
