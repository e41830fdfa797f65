import { useMutation } from '@tanstack/react-query'
import { Download, UserRound } from 'lucide-react'
import { api } from '../app/client.ts'
import { count } from '../app/moments.ts'
import { sizeOf } from '../app/sizes.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { sayFailure } from '../ui/failing.ts'
import { say } from '../ui/toasts.ts'
import { save } from './saving.ts'

/** The album as a zip: all of it, or one's own photos. */
export const DownloadDialog = ({ eventId, onClose }: { eventId: number; onClose(): void }) => {
  const { t } = useWords()
  const link = useMutation({
    mutationFn: (mine: boolean) => api.gallery.linkAlbum({ event_id: eventId, ...(mine && { mine }) }),
    onSuccess: ({ download_url, download_photos_count, download_bytes }) => {
      if (download_photos_count === 0) return say(t('gallery.none'))
      save(download_url)
      say(t('download.begun', { photos: count(download_photos_count), size: sizeOf(download_bytes) }))
      onClose()
    },
    onError: sayFailure,
  })
  return (
    <Dialog open onClose={onClose} title={t('download.title')} about={t('download.about')}>
      <div className="grid gap-3">
        <Button
          size="large"
          busy={link.isPending && !link.variables}
          icon={<Download className="size-5.5" aria-hidden="true" />}
          onClick={() => link.mutate(false)}
        >
          {t('download.all')}
        </Button>
        <Button
          look="soft"
          size="large"
          busy={link.isPending && link.variables}
          icon={<UserRound className="size-5.5" aria-hidden="true" />}
          onClick={() => link.mutate(true)}
        >
          {t('download.mine')}
        </Button>
      </div>
    </Dialog>
  )
}
