import { overlay } from '../app/later.tsx'

export type ConfirmProps = {
  onClose(): void
  title: string
  about: string
  /** Names the act, such as “Delete”. */
  act: string
  /** `plain`: nothing is lost by it. */
  tone?: 'danger' | 'plain'
  onAct(): void
}

const ConfirmSheet = overlay(async () => (await import('./confirm-sheet.tsx')).default)

/** Asks before what cannot be taken back, or was not quite asked for. Its code comes with the first question. */
export const Confirm = ({ open, ...asked }: ConfirmProps & { open: boolean }) => open && <ConfirmSheet {...asked} />
