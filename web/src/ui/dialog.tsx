import type { ReactNode } from 'react'
import { overlay } from '../app/later.tsx'

export type DialogProps = {
  onClose(): void
  title: string
  /** Read out with the title. */
  about?: string
  children: ReactNode
}

const DialogSheet = overlay(async () => (await import('./dialog-sheet.tsx')).default)

/** A sheet from below on a phone, a card in the middle elsewhere. Its code comes with the first one that is opened. */
export const Dialog = ({ open, ...shown }: DialogProps & { open: boolean }) => open && <DialogSheet {...shown} />
