import { overlay } from '../../app/router/lazy.tsx'

export type ConfirmProps = {
  onClose(): void
  title: string
  about: string
  /** Names the action, such as “Delete”. */
  act: string
  /** `plain`: nothing is lost by it. */
  tone?: 'danger' | 'plain'
  onAct(): void
}

const ConfirmSheet = overlay(async () => (await import('./confirm-sheet.tsx')).default)

/**
 * Asks before irreversible actions, or ones that were not quite requested. Its code is loaded with the first question.
 */
export const Confirm = ({ open, ...asked }: ConfirmProps & { open: boolean }) => open && <ConfirmSheet {...asked} />
