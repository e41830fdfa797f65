import { ImagePlus, Images } from 'lucide-react'
import { type Speech, useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import type { Event } from '../events/queries.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = {
  /** Why the photos did not load; undefined if there are none. */
  error: Error | null | undefined
  retry(): void
  /** The event to add photos to. */
  event: Event | undefined
  onAdd(): void
}

/** Shown instead of an album that is empty or did not load. */
export const NoPhotos = ({ error, retry, event, onAdd }: Props) => {
  const { t } = useWords()
  if (error !== undefined) return <EventFailed error={error} retry={retry} />
  return (
    <Notice
      icon={Images}
      title={t('gallery.none')}
      action={
        event && (
          <Button icon={<ImagePlus />} onClick={onAdd}>
            {t('gallery.add')}
          </Button>
        )
      }
    >
      {event && whoSees(event, t)}
    </Notice>
  )
}

/** The audience of added photos, as the event says it. */
const whoSees = ({ extra }: Event, t: Speech['t']) => {
  if (!extra.may.album) return t('gallery.noneOwn')
  if (extra.event_photos_shown !== 'at_once') return t('gallery.noneSealed')
  return extra.photo_approval === 'album' && !extra.may.approve ? t('gallery.noneWait') : t('gallery.noneMore')
}
