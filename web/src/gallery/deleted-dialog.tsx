import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { applyChanges } from '../app/cache/change.ts'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { nearDayOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { deletedKey } from './keys.ts'
import { onGalleryEvent } from './reducer.ts'

const deletedQuery = (event_id: number) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: deletedKey(event_id),
    queryFn: ({ pageParam, signal }) =>
      api.gallery.listDeletedPhotos({ event_id, page: pageParam, page_length: 60 }, { signal }),
    staleTime: 0,
  })

/** Deleted photos that can be restored. */
export const DeletedDialog = ({ eventId, onClose }: { eventId: number; onClose(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const list = useInfiniteQuery(deletedQuery(eventId))
  const photos = rowsOf(list.data, ({ id }) => id)
  const restore = useMutation({
    mutationFn: (event_photo_id: string) => api.gallery.restorePhoto({ event_photo_id }),
    onSuccess: photo => {
      applyChanges(client, onGalleryEvent({ kind: 'photo.created', payload: photo }, photo.taken_by.id))
      say(t('deleted.done'))
      return client.invalidateQueries({ queryKey: deletedKey(eventId) })
    },
    onError: sayFailure,
  })
  return (
    <Dialog open onClose={onClose} title={t('deleted.title')} about={t('deleted.about')}>
      {list.isPending ? (
        <SkeletonRows rows={3} picture="size-14 rounded-xl" />
      ) : !list.data ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : photos.length === 0 ? (
        <p className="py-6 text-center text-soft">{t('deleted.none')}</p>
      ) : (
        <ul className="grid grid-cols-1 gap-2">
          {photos.map(photo => (
            <DeletedPhoto
              key={photo.id}
              photo={photo}
              busy={restore.isPending && restore.variables === photo.id}
              onRestore={() => restore.mutate(photo.id)}
            />
          ))}
        </ul>
      )}
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </Dialog>
  )
}

type DeletedProps = {
  photo: Awaited<ReturnType<typeof api.gallery.listDeletedPhotos>>['data'][number]
  busy: boolean
  onRestore(): void
}

const DeletedPhoto = ({ photo, busy, onRestore }: DeletedProps) => {
  const { t } = useWords()
  return (
    <li className="flex items-center gap-3">
      <img
        src={photo.event_photo_preview_url}
        alt={t('gallery.photoBy', { name: nameOf(photo.taken_by) })}
        className="size-14 rounded-xl bg-sunken object-cover"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium" dir="auto">
          {nameOf(photo.taken_by)}
        </span>
        <span className="block text-sm text-soft">{nearDayOf(photo.deleted_at)}</span>
      </span>
      <Button look="soft" size="small" busy={busy} icon={<RotateCcw className="size-4.5" />} onClick={onRestore}>
        {t('deleted.restore')}
      </Button>
    </li>
  )
}
