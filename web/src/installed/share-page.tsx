import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { navigate } from '../app/router/router.tsx'
import { forgetShared, sharedFiles } from '../app/storage/share-target.ts'
import { useWords } from '../app/words.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { isIn, whenOf } from '../events/event-words.ts'
import { type Event, eventsQuery } from '../events/queries.ts'
import { sayFailure } from '../ui/failure.ts'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

/** Chooses the event for photos from another app's share sheet. */
export const SharePage = () => {
  const { t } = useWords()
  const files = useQuery({ queryKey: ['shared'], queryFn: sharedFiles, gcTime: 0, staleTime: 0, networkMode: 'always' })
  const upcoming = useInfiniteQuery(eventsQuery('upcoming'))
  const past = useInfiniteQuery(eventsQuery('past'))
  const all = [...rowsOf(upcoming.data, ({ id }) => id), ...rowsOf(past.data, ({ id }) => id)]
  const events = all.filter((event, at) => isIn(event) && all.findIndex(({ id }) => id === event.id) === at)
  const add = useMutation({
    mutationFn: async ({ id }: Event) => {
      const { enqueue } = await import('../uploads/upload-queue.ts')
      await enqueue(id, files.data ?? [])
      await forgetShared()
      return id
    },
    onSuccess: eventId => navigate({ to: '/events/:eventId/photos', params: { eventId }, replace: true }),
    onError: sayFailure,
  })
  const count = files.data?.length ?? 0
  return (
    <>
      <title>{`${t('share.title')} · Afterglow`}</title>
      <PageHeader title={t('share.title')} back={{ to: '/events' }} />
      <div className="mx-auto max-w-2xl px-4 py-4">
        {files.isPending || upcoming.isPending ? (
          <SkeletonRows rows={4} picture="size-14 rounded-xl" />
        ) : count === 0 || events.length === 0 ? (
          <Notice icon={ImagePlus} title={count === 0 ? t('share.nothing') : t('share.noEvent')} />
        ) : (
          <>
            <p className="pb-3 text-soft">{t('share.which', { count })}</p>
            <ul className="grid grid-cols-1 gap-2">
              {events.map(event => (
                <li key={event.id}>
                  <EventChoice event={event} disabled={add.isPending} onChoose={() => add.mutate(event)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

const EventChoice = ({ event, disabled, onChoose }: { event: Event; disabled: boolean; onChoose(): void }) => (
  <button
    type="button"
    disabled={disabled}
    onClick={onChoose}
    className="flex w-full items-center gap-3 rounded-2xl border border-line bg-card p-2 text-start shadow-card hover:bg-hover disabled:opacity-60"
  >
    <span className="size-14 shrink-0 overflow-hidden rounded-xl">
      <EventPicture event={event} small />
    </span>
    <span className="min-w-0 flex-1">
      <span className="block font-semibold wrap-anywhere" dir="auto">
        {event.event_name}
      </span>
      <span className="block text-sm text-soft">{whenOf(event)}</span>
    </span>
  </button>
)
