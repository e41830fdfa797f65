import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useLayer } from '../app/history.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { useOpener } from '../ui/opener.ts'
import { AlbumButton } from './album-button.tsx'
import type { Attachment } from './queries.ts'

const round = 'grid size-12 place-items-center rounded-full bg-black/50 text-white hover:bg-black/80'

/** The pictures of one message, large, one after the other. */
export const PictureViewer = ({
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
  const shown = attachments[at]
  const go = (step: number) => setAt((at + step + attachments.length) % attachments.length)
  if (!shown) return null
  const title = t('chat.pictureOf', { number: at + 1, total: attachments.length, name: nameOf(shown.user) })
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 grid animate-fade place-items-center bg-black outline-none"
          onCloseAutoFocus={giveBack}
          onKeyDown={({ key }) => {
            const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
            if (key === 'ArrowLeft' || key === 'ArrowRight') go(key === forward ? 1 : -1)
          }}
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <img src={shown.message_attachment_url} alt={title} className="max-h-dvh max-w-full object-contain" />
          <div className="safe-top absolute inset-x-3 top-3 flex justify-end">
            <Dialog.Close aria-label={t('common.close')} className={round}>
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          {attachments.length > 1 && (
            <div className="pointer-events-none absolute inset-x-3 flex justify-between *:pointer-events-auto">
              <button type="button" aria-label={t('common.previous')} className={round} onClick={() => go(-1)}>
                <ChevronLeft className="rtl:-scale-x-100" aria-hidden="true" />
              </button>
              <button type="button" aria-label={t('common.next')} className={round} onClick={() => go(1)}>
                <ChevronRight className="rtl:-scale-x-100" aria-hidden="true" />
              </button>
            </div>
          )}
          <div className="absolute end-4 bottom-6">
            <AlbumButton attachment={shown} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
