import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import type { PhotoFilter } from '../photo-filter.ts'
import type { Photo } from '../queries.ts'
import { PersonDialog } from './person-dialog.tsx'
import { Pill } from './pill.tsx'

type Props = {
  eventId: number
  showing: PhotoFilter
  person: Photo['taken_by'] | undefined
  onShow(showing: PhotoFilter): void
}

/** The current uploader filter, with a link to change it. */
export const PersonPill = ({ eventId, showing, person, onShow }: Props) => {
  const { t } = useWords()
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Pill
        aria-haspopup="dialog"
        aria-label={`${t('gallery.person')}: ${person ? nameOf(person) : t('gallery.everybody')}`}
        onClick={() => setChoosing(true)}
      >
        <UserRound />
        <span className="max-w-40 truncate" dir="auto">
          {person ? nameOf(person) : t(showing.by === undefined ? 'gallery.everybody' : 'gallery.person')}
        </span>
      </Pill>
      {choosing && (
        <PersonDialog
          eventId={eventId}
          onChoose={by => {
            const { by: _, ...all } = showing
            // A navigation step of its own, replacing the dialog's: back leads to everybody's photos again.
            onShow(by === undefined ? all : { ...all, by })
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
