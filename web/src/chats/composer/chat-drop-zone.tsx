import { kindOf } from '@afterglow/sdk/files'
import { useState } from 'react'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { DropZone } from '../../uploads/drop-zone.tsx'
import { type Intake, sayOthers } from '../../uploads/intake.ts'

type Props = {
  eventId: number
  /** How many more pictures the message may have. */
  room: number
  onPictures(pictures: readonly File[]): void
}

/** Files dropped onto a chat: a few pictures go into the message, the rest into the album, if the user agrees. */
export const ChatDropZone = ({ eventId, room, onPictures }: Props) => {
  const { t } = useWords()
  const [many, setMany] = useState<readonly File[]>()
  const take = (taken: Intake) => {
    const films = taken.files.filter(file => kindOf(file) === 'video').length
    const fit = taken.files.length <= (films > 0 ? 1 : room)
    const wanted = taken.files.filter(kindOf)
    sayOthers({ files: wanted, others: taken.others + taken.files.length - wanted.length })
    if (wanted.length === 0) return
    if (fit) onPictures(wanted)
    else setMany(wanted)
  }
  const addToAlbum = async (files: readonly File[]) => {
    try {
      const { enqueue } = await import('../../uploads/upload-queue.ts')
      void enqueue(eventId, files)
      await navigate({ to: '/events/:eventId/photos', params: { eventId } })
    } catch (error) {
      sayFailure(error)
    }
  }
  return (
    <>
      <DropZone label={t('drop.chat')} onTake={take} />
      <Confirm
        open={many !== undefined}
        onClose={() => setMany(undefined)}
        title={t('drop.tooManyTitle', { count: many?.length ?? 0 })}
        about={t('drop.tooManyAbout')}
        act={t('gallery.add')}
        tone="plain"
        onAct={() => many && void addToAlbum(many)}
      />
    </>
  )
}
