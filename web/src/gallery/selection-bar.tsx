import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { applyChanges } from '../app/cache/change.ts'
import { type Listed, rowsOf } from '../app/cache/pages.ts'
import { api, statusOf } from '../app/net/client.ts'
import { useLayer } from '../app/router/history.ts'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import { say } from '../ui/layers/toasts.ts'
import { DownloadDialog } from './download-dialog.tsx'
import type { Photo } from './queries.ts'
import { onGalleryEvent } from './reducer.ts'
import { savePhoto } from './save-files.ts'

type Props = {
  listed: Listed<Photo>
  chosen: ReadonlySet<string>
  onChoose(chosen: ReadonlySet<string>): void
  onEnd(): void
}

/** The service's limit per request. */
const photosChosenMax = 5000

/** The number of selected photos, and their actions. */
export const SelectionBar = ({ listed, chosen, onChoose, onEnd }: Props) => {
  const { t } = useWords()
  useLayer(onEnd)
  const [asking, setAsking] = useState(false)
  /** The photos of the download. */
  const [downloaded, setDownloaded] = useState<readonly Photo[]>()
  const all = rowsOf(listed, ({ id }) => id)
  const photos = all.filter(({ id }) => chosen.has(id))
  const mine = photos.filter(({ extra }) => extra.may.delete)
  const remove = useRemoval(mine, onEnd)
  return (
    <section
      aria-label={t('gallery.select')}
      className="safe-bottom fixed inset-x-0 bottom-0 z-40 animate-rise border-t border-line bg-card shadow-float lg:ps-24"
    >
      <div className="mx-auto flex h-18 max-w-3xl items-center gap-1 px-2">
        <IconButton label={t('common.cancel')} onClick={onEnd}>
          <X />
        </IconButton>
        <p role="status" className="line-clamp-2 min-w-0 flex-1 leading-tight font-semibold wrap-anywhere">
          {t('gallery.chosen', { count: photos.length })}
        </p>
        {photos.length < all.length && (
          <Button look="bare" size="small" onClick={() => onChoose(new Set(all.map(({ id }) => id)))}>
            {t('gallery.all')}
          </Button>
        )}
        <IconButton
          label={t('gallery.download')}
          disabled={photos.length === 0 || photos.length > photosChosenMax}
          onClick={() => (photos[0] && photos.length === 1 ? savePhoto(photos[0]) : setDownloaded(photos))}
        >
          <Download />
        </IconButton>
        <IconButton
          label={t('chat.delete')}
          disabled={mine.length === 0 || remove.isPending}
          className="text-bad"
          onClick={() => setAsking(true)}
        >
          <Trash2 />
        </IconButton>
      </div>
      {downloaded?.[0] && (
        <DownloadDialog
          eventId={Number(downloaded[0].event_id)}
          chosen={downloaded.map(({ id }) => id)}
          onClose={() => setDownloaded(undefined)}
        />
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('gallery.deleteTitle', { count: mine.length })}
        about={mine.length < photos.length ? t('gallery.deleteSome') : t('gallery.deleteAbout')}
        act={t('chat.delete')}
        onAct={() => remove.mutate()}
      />
    </section>
  )
}

const useRemoval = (photos: readonly Photo[], onEnd: () => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      for (const { id, event_id } of photos) {
        // An already deleted photo is fine.
        await api.gallery.deletePhoto({ event_photo_id: id }).catch(error => {
          if (statusOf(error) !== 404) throw error
        })
        const told = onGalleryEvent({ kind: 'photo.deleted', payload: { id, event_id } }, session.get()?.userId ?? 0)
        applyChanges(client, told)
      }
      return photos.length
    },
    onSuccess: count => {
      say(t('gallery.deletedDone', { count }))
      onEnd()
    },
    onError: sayFailure,
  })
}
