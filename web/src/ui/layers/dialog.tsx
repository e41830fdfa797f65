import type { ReactNode } from 'react'
import { overlay } from '../../app/router/lazy.tsx'

export type DialogProps = {
  onClose(): void
  title: string
  /** Read out with the title. */
  about?: string
  children: ReactNode
}

const DialogSheet = overlay(async () => (await import('./dialog-sheet.tsx')).default)

/** A bottom sheet on a phone, a centred card elsewhere. Its code is loaded with the first one that is opened. */
export const Dialog = ({ open, ...shown }: DialogProps & { open: boolean }) => open && <DialogSheet {...shown} />
