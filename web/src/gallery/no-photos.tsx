import { ImagePlus, Images } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = {
  /** Why the photos did not load; undefined if there are none. */
  error: Error | null | undefined
  retry(): void
  mayAdd: boolean
  onAdd(): void
}

/** Shown instead of an album that is empty or did not load. */
export const NoPhotos = ({ error, retry, mayAdd, onAdd }: Props) => {
  const { t } = useWords()
  if (error !== undefined) return <EventFailed error={error} retry={retry} />
  return (
    <Notice
      icon={Images}
      title={t('gallery.none')}
      action={
        mayAdd && (
          <Button icon={<ImagePlus aria-hidden="true" />} onClick={onAdd}>
            {t('gallery.add')}
          </Button>
        )
      }
    >
      {mayAdd ? t('gallery.noneMore') : undefined}
    </Notice>
  )
}
