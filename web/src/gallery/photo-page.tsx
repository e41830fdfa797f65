import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Failed } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { photoQuery } from './queries.ts'

const route = getRouteApi('/inside/events/$eventId/photos/$photoId')

/** One photo, large, over its album. */
export const PhotoPage = () => {
  const { t } = useWords()
  const { eventId, photoId } = route.useParams()
  const navigate = useNavigate()
  const { data: photo, error, refetch } = useQuery(photoQuery(photoId))
  const close = () => void navigate({ to: '/events/$eventId/photos', params: { eventId } })
  const words =
    photo && (photo.extra?.alt_text ?? photo.extra?.caption ?? t('gallery.photoBy', { name: nameOf(photo.taken_by) }))
  return (
    <Dialog.Root open onOpenChange={open => !open && close()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-50 grid animate-fade place-items-center bg-black text-white outline-none"
        >
          <Dialog.Title className="sr-only">{words ?? t('gallery.title')}</Dialog.Title>
          {photo ? (
            <img src={photo.event_photo_url} alt={words} className="max-h-dvh max-w-full object-contain" />
          ) : error ? (
            <Failed error={error} retry={() => void refetch()} />
          ) : (
            <Spinner />
          )}
          {photo && (
            <p
              className="safe-bottom absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent p-5 pt-12"
              dir="auto"
            >
              {photo.extra?.caption && <span className="block text-lg">{photo.extra.caption}</span>}
              <span className="text-sm text-white/80">{nameOf(photo.taken_by)}</span>
            </p>
          )}
          <Dialog.Close
            aria-label={t('common.close')}
            className="absolute end-3 top-3 grid size-12 place-items-center rounded-full bg-black/50 hover:bg-black/80"
          >
            <X aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
