import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { stepOf } from './arrow-keys.ts'

type Props = {
  /** Its accessible name. */
  title: string
  className: string
  onClose(): void
  /** By an arrow key: 1 is onwards. */
  onStep(step: 1 | -1): void
  /** Moves the focus afterwards. */
  onCloseAutoFocus(event: Event): void
  children: ReactNode
}

/** Over the whole page, one picture of several in large. */
export const ViewerDialog = ({ title, className, onClose, onStep, onCloseAutoFocus, children }: Props) => (
  <Dialog.Root open onOpenChange={open => !open && onClose()}>
    <Dialog.Portal>
      <Dialog.Content
        aria-describedby={undefined}
        onOpenAutoFocus={event => {
          event.preventDefault()
          ;(event.currentTarget as HTMLElement | null)?.focus()
        }}
        onCloseAutoFocus={onCloseAutoFocus}
        // It covers the screen. A touch outside hits a photo that still moves out of its tile, or a notice.
        onInteractOutside={event => event.preventDefault()}
        onKeyDown={event => {
          const typing = (event.target as HTMLElement).closest('input, textarea, select, video, .yarl__container')
          const step = stepOf(event.key)
          if (!typing && step) onStep(step)
        }}
        className={`fixed inset-0 z-50 animate-fade outline-none ${className}`}
      >
        <Dialog.Title className="sr-only">{title}</Dialog.Title>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
