import { overlay } from '../app/later.tsx'
import { useWords } from '../app/words.ts'
import { DropZone } from './drop-zone.tsx'
import type { Intake } from './intake.ts'

const NoChooser = overlay(async () => (await import('./no-chooser.tsx')).default)

type Props = {
  eventId: number
  onTake(taken: Intake): void
  /** A file chooser was requested and did not open. */
  cannot: boolean
  onClose(): void
}

/** What adding photos offers beyond its buttons; loaded after the page is rendered. */
const AddPhotosExtras = ({ eventId, onTake, cannot, onClose }: Props) => {
  const { t } = useWords()
  return (
    <>
      <DropZone label={t('drop.album')} onTake={onTake} />
      {cannot && <NoChooser eventId={eventId} onClose={onClose} />}
    </>
  )
}

export default AddPhotosExtras
