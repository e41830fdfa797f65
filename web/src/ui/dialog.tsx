import { lazy, type ReactNode, Suspense } from 'react'

export type DialogProps = {
  onClose(): void
  title: string
  /** Read out with the title. */
  about?: string
  children: ReactNode
}

const DialogSheet = lazy(() => import('./dialog-sheet.tsx'))

/** A sheet from below on a phone, a card in the middle elsewhere. Its code comes with the first one that is opened. */
export const Dialog = ({ open, ...shown }: DialogProps & { open: boolean }) => (
  <Suspense>{open && <DialogSheet {...shown} />}</Suspense>
)
