import { useState } from 'react'
import { overlay } from '../../app/router/lazy.tsx'
import { useWords } from '../../app/words.ts'
import { Blurred } from '../../ui/pictures/blurred.tsx'
import type { Message } from '../history/window.ts'
import { AlbumButton } from './album-button.tsx'
import { FilmView } from './film-view.tsx'
import { gridOf, ratioOf } from './picture-shapes.ts'

const PictureViewer = overlay(async () => (await import('./picture-viewer.tsx')).default)

/** The pictures of a message, each with a placeholder until it has arrived. */
export const Pictures = ({ message }: { message: Message }) => {
  const { t } = useWords()
  const [open, setOpen] = useState<number>()
  const { attachments } = message
  return (
    <div data-open={open} className={gridOf(attachments.length)}>
      {attachments.map((attachment, at) => {
        const { width, height, thumbhash, preview_url } = attachment.extra
        const ratio = ratioOf(attachments.length, width, height)
        return (
          <div key={attachment.id} className="relative overflow-hidden bg-sunken" style={{ aspectRatio: ratio }}>
            <Blurred thumbhash={thumbhash} />
            {attachment.extra.video ? (
              <FilmView attachment={attachment} />
            ) : (
              <button
                type="button"
                tabIndex={-1}
                onClick={() => setOpen(at)}
                className="absolute inset-0 outline-offset-[-3px]"
                aria-label={t('chat.openPicture', { number: at + 1 })}
              >
                <img
                  src={preview_url ?? attachment.message_attachment_url}
                  alt=""
                  decoding="async"
                  className="size-full object-cover"
                />
              </button>
            )}
            <AlbumButton attachment={attachment} small={attachments.length > 2} tabIndex={-1} />
          </div>
        )
      })}
      {open !== undefined && (
        <PictureViewer attachments={attachments} start={open} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}
