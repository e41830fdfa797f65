import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { count } from '../../app/date-format.ts'
import { useLayer } from '../../app/router/history.ts'
import { useWords } from '../../app/words.ts'
import { save, saveLabel } from '../../gallery/save-files.ts'
import { PhotoStage } from '../../gallery/viewer/lightbox.tsx'
import { share } from '../../gallery/viewer/share.ts'
import type { Shot } from '../../gallery/viewer/shot.ts'
import { ViewerDialog } from '../../gallery/viewer/viewer-dialog.tsx'
import { RoundButton, ViewerTop } from '../../gallery/viewer/viewer-top.tsx'
import { nameOf } from '../../people/names.ts'
import { useOpener } from '../../ui/layers/opener.ts'
import type { Attachment } from '../queries.ts'
import { AlbumButton } from './album-button.tsx'

type Props = { attachments: Attachment[]; start: number; onClose(): void }

/** The pictures of one message, large, one after the other, like those of an album. */
const PictureViewer = ({ attachments, start, onClose }: Props) => {
  const { t } = useWords()
  const giveBack = useOpener()
  useLayer(onClose)
  const [at, setAt] = useState(start)
  const total = attachments.length
  const shots = useMemo(
    () =>
      attachments.map((each, index) =>
        shotOf(each, t('chat.pictureOf', { number: index + 1, total, name: nameOf(each.user) })),
      ),
    [attachments, total, t],
  )
  const shown = attachments[at]
  const shot = shots[at]
  if (!shown || !shot) return null
  const original = shown.extra.original
  const name = original?.name ?? `picture-${shown.id}.jpg`
  return (
    <ViewerDialog
      title={shot.alt}
      className="text-white"
      onClose={onClose}
      onStep={step => attachments[at + step] && setAt(at + step)}
      onCloseAutoFocus={giveBack}
    >
      <PhotoStage shots={shots} at={at} onView={setAt} onClose={onClose} />
      <ViewerTop
        position={total > 1 ? t('photo.position', { number: count(at + 1), total: count(total) }) : undefined}
        onShare={() => void share({ url: shot.full, name, title: shot.alt })}
      >
        <RoundButton label={saveLabel(original)} onClick={() => save(original?.url ?? shot.full, name)}>
          <Download />
        </RoundButton>
      </ViewerTop>
      <div className="safe-bottom-3 safe-x-4 pointer-events-none absolute inset-x-0 bottom-0 flex min-h-24 items-end bg-linear-to-t from-black/80 to-transparent">
        <p className="min-w-0 flex-1 truncate pb-1 text-sm text-white/85" dir="auto">
          {nameOf(shown.user)}
        </p>
        <div className="pointer-events-auto relative h-12 w-40 max-w-1/2">
          <AlbumButton attachment={shown} />
        </div>
      </div>
    </ViewerDialog>
  )
}

export default PictureViewer

const filmOf = ({ extra: { video_state: film, video_url: url } }: Attachment) =>
  film?.state === 'ready' && url !== null ? { url, poster: film.poster_url } : undefined

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
