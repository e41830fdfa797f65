import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState } from 'react'
import { useLayer } from '../../app/router/history.ts'
import { useWords } from '../../app/words.ts'
import { iconButtonClass } from '../button.tsx'
import type { DialogProps } from './dialog.tsx'
import { useDragDown } from './drag-down.ts'
import { useOpener } from './opener.ts'

const DialogSheet = ({ onClose, title, about, children }: DialogProps) => {
  const { t } = useWords()
  const giveBack = useOpener()
  useLayer(onClose)
  const [sheet, setSheet] = useState<HTMLDivElement | null>(null)
  useDragDown(sheet, onClose)
  return (
    <Radix.Root open onOpenChange={now => !now && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-veil" />
        <Radix.Content
          ref={setSheet}
          onCloseAutoFocus={giveBack}
          {...(!about && { 'aria-describedby': undefined })}
          className="safe-bottom fixed inset-x-0 bottom-0 z-50 flex max-h-[88dvh] animate-sheet flex-col rounded-t-2xl bg-card shadow-float outline-none sm:inset-auto sm:start-1/2 sm:top-1/2 sm:w-full sm:max-w-md sm:-translate-1/2 sm:animate-fade sm:rounded-2xl rtl:sm:translate-x-1/2"
        >
          {/* A handle: the sheet follows the finger. */}
          <span
            aria-hidden="true"
            className="mx-auto mt-2 -mb-2 h-1 w-10 rounded-full bg-edge motion-reduce:hidden sm:hidden"
          />
          <header className="flex items-center gap-2 ps-4 pe-2 pt-3 pb-1">
            <Radix.Title className="flex-1 font-display text-xl font-semibold">{title}</Radix.Title>
            <Radix.Close className={iconButtonClass} aria-label={t('common.close')}>
              <X />
            </Radix.Close>
          </header>
          {about && <Radix.Description className="px-4 pb-2 text-soft">{about}</Radix.Description>}
          <div className="scroll-thin flex-1 overflow-y-auto px-4 pt-1 pb-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export default DialogSheet
