import { lazy, Suspense } from 'react'

export type ConfirmProps = {
  onClose(): void
  title: string
  about: string
  /** Names the act, such as “Delete”. */
  act: string
  onAct(): void
}

const ConfirmSheet = lazy(() => import('./confirm-sheet.tsx'))

/** Asks before what cannot be taken back. Its code comes with the first question. */
export const Confirm = ({ open, ...asked }: ConfirmProps & { open: boolean }) => (
  <Suspense>{open && <ConfirmSheet {...asked} />}</Suspense>
)
