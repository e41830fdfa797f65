import { lazy, Suspense, useState } from 'react'
import { useWords } from '../app/words.ts'
import { Blurred } from '../ui/blurred.tsx'
import { AlbumButton } from './album-button.tsx'
import type { Message } from './window.ts'

const PictureViewer = lazy(() => import('./picture-viewer.tsx'))

const shapes: Record<number, string> = { 1: 'grid-cols-1', 2: 'grid-cols-2', 4: 'grid-cols-2' }

/** The pictures of a message, each with its own place before it has arrived. */
export const Pictures = ({ message }: { message: Message }) => {
  const { t } = useWords()
  const [open, setOpen] = useState<number>()
  const { attachments } = message
  const alone = attachments.length === 1
  return (
    <div
      data-open={open}
      className={`grid w-72 max-w-full gap-0.5 sm:w-88 ${shapes[attachments.length] ?? 'grid-cols-3'}`}
    >
      {attachments.map((attachment, at) => {
        const { width = 1, height = 1, thumbhash, preview_url } = attachment.extra ?? {}
        // Not so high that one picture fills a phone.
        const ratio = alone ? Math.max(0.75, Math.min(2, width / height)) : 1
        return (
          <div key={attachment.id} className="relative overflow-hidden bg-sunken" style={{ aspectRatio: ratio }}>
            <Blurred thumbhash={thumbhash} />
            <button
              type="button"
              onClick={() => setOpen(at)}
              className="absolute inset-0 outline-offset-[-3px]"
              aria-label={t('chat.openPicture', { number: at + 1 })}
            >
              <img
                src={preview_url ?? attachment.message_attachment_url}
                alt=""
                fetchPriority="high"
                decoding="async"
                className="size-full object-cover"
              />
            </button>
            <AlbumButton attachment={attachment} small={attachments.length > 2} />
          </div>
        )
      })}
      <Suspense>
        {open !== undefined && (
          <PictureViewer attachments={attachments} start={open} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </div>
  )
}
