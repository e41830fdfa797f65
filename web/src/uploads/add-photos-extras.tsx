import { useWords } from '../app/words.ts'
import { DropZone } from './drop-zone.tsx'
import type { Intake } from './intake.ts'
import { NoChooser } from './no-chooser.tsx'

type Props = {
  eventId: number
  onTake(taken: Intake): void
  /** A file chooser was requested and did not open. */
  cannot: boolean
  onClose(): void
}

/** The further ways to add photos beyond the buttons; loaded after the page is rendered. */
export const AddPhotosExtras = ({ eventId, onTake, cannot, onClose }: Props) => {
  const { t } = useWords()
  return (
    <>
      <DropZone label={t('drop.album')} onTake={onTake} />
      {cannot && <NoChooser eventId={eventId} onClose={onClose} />}
    </>
  )
}
