import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ImageUp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { waitingKey } from './keys.ts'
import { type Photo, waitingQuery } from './queries.ts'

/** As many as one request decides about. */
const mostAtOnce = 100

/** Photos that wait to be approved: the selected ones, or else the first, are approved or refused by a key each. */
export const WaitingPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/waiting')
  const list = useInfiniteQuery(waitingQuery(eventId))
  const photos = rowsOf(list.data, ({ id }) => id)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = photos.filter(({ id }) => chosen.has(id))
  const next = selected.length > 0 ? selected : photos.slice(0, 1)
  const decide = useDecision(eventId, () => setChosen(new Set()))
  useKeys(key => {
    if (next.length === 0 || decide.isPending) return
    if (key === 'ArrowRight') decide.mutate({ approve: true, photos: next })
    if (key === 'ArrowLeft') decide.mutate({ approve: false, photos: next })
  })
  const toggle = (id: string) =>
    setChosen(chosen.has(id) ? new Set([...chosen].filter(each => each !== id)) : new Set([...chosen, id]))
  return (
    <>
      <title>{`${t('waiting.title')} · Afterglow`}</title>
      <PageHeader title={t('waiting.title')} back={{ to: '/events/:eventId', params: { eventId } }} backOnDesktop />
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-4 px-4 py-4">
        {list.isPending && <SkeletonRows rows={3} />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && photos.length === 0 && <Notice icon={ImageUp} title={t('waiting.none')} />}
        {photos.length > 0 && (
          <>
            <p className="text-pretty text-soft">{t('waiting.about')}</p>
            <div className="sticky top-(--bar) z-10 flex flex-wrap gap-2 bg-paper py-2">
              <Button
                busy={decide.isPending}
                icon={<Check className="size-5" aria-hidden="true" />}
                onClick={() => decide.mutate({ approve: true, photos: selected.length > 0 ? selected : photos })}
              >
                {selected.length > 0 ? t('waiting.approve') : t('waiting.all')}
              </Button>
              <Button
                look="soft"
                disabled={decide.isPending || selected.length === 0}
                icon={<X className="size-5" aria-hidden="true" />}
                onClick={() => decide.mutate({ approve: false, photos: selected })}
              >
                {t('waiting.refuse')}
              </Button>
            </div>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
              {photos.map(photo => (
                <Waiting
                  key={photo.id}
                  photo={photo}
                  selected={chosen.has(photo.id)}
                  next={next.includes(photo)}
                  onSelect={() => toggle(photo.id)}
                />
              ))}
            </ul>
          </>
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}

type Decision = { approve: boolean; photos: readonly Photo[] }

const useDecision = (eventId: number, onDecided: () => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ approve, photos }: Decision) => {
      const ids = photos.slice(0, mostAtOnce).map(({ id }) => Number(id))
      const input = { event_id: eventId, event_photo_ids: ids }
      await (approve ? api.gallery.approvePhotos(input) : api.gallery.refusePhotos(input))
    },
    onSuccess: (_, { approve }) => {
      onDecided()
      say(approve ? t('waiting.approved') : t('waiting.refused'))
      return client.invalidateQueries({ queryKey: waitingKey(eventId) })
    },
    onError: sayFailure,
  })
}

const useKeys = (onKey: (key: string) => void) =>
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event.key)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })

type WaitingProps = { photo: Photo; selected: boolean; next: boolean; onSelect(): void }

const Waiting = ({ photo, selected, next, onSelect }: WaitingProps) => {
  const { t } = useWords()
  const name = nameOf(photo.taken_by)
  return (
    <li className="grid gap-1">
      <button
        type="button"
        aria-pressed={selected}
        aria-label={t('waiting.select', { name })}
        onClick={onSelect}
        className={`relative aspect-square overflow-hidden rounded-xl bg-sunken ${next ? 'ring-4 ring-ember' : ''}`}
      >
        <img
          src={photo.event_photo_preview_url}
          alt={photo.extra.alt_text ?? ''}
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
        />
        {selected && (
          <span className="absolute start-1.5 top-1.5 grid size-7 place-items-center rounded-full bg-ember text-on-ember">
            <Check className="size-4.5" aria-hidden="true" />
          </span>
        )}
      </button>
      <span className="truncate text-sm text-soft" dir="auto">
        {name}
      </span>
    </li>
  )
}
