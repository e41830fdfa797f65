import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ImageUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useParams } from '../app/router/router.tsx'
import { toggled } from '../app/toggled.ts'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { eventQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { useSwipeAway } from '../ui/layers/swipe-away.ts'
import { say } from '../ui/layers/toasts.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { waitingKey } from './keys.ts'
import { type Photo, waitingQuery } from './queries.ts'

/** As many as one request decides about. */
const mostAtOnce = 100

/**
 * Photos that wait to be approved: the first is shown large, to be swiped; a key each approves and refuses the selected
 * ones, or else the first. What is decided leaves at once, so the next one waits for no answer.
 */
export const WaitingPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/waiting')
  const list = useInfiniteQuery(waitingQuery(eventId))
  const event = useQuery(eventQuery(eventId))
  const { decide, decided } = useDecisions(eventId)
  const photos = rowsOf(list.data, ({ id }) => id).filter(({ id }) => !decided.has(id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = photos.filter(({ id }) => chosen.has(id))
  const [first] = photos
  useKeys(key => {
    const next = selected.length > 0 ? selected : photos.slice(0, 1)
    if (next.length === 0) return
    if (key === 'ArrowRight') decide({ approve: true, photos: next })
    if (key === 'ArrowLeft') decide({ approve: false, photos: next })
  })
  return (
    <>
      <title>{`${t('waiting.title')} · Afterglow`}</title>
      <PageHeader title={t('waiting.title')} back={{ to: '/events/:eventId', params: { eventId } }} backOnDesktop />
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-4 px-4 py-4">
        {list.isPending && <SkeletonRows rows={3} />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && photos.length === 0 && <Notice icon={ImageUp} title={t('waiting.none')} />}
        {first && (
          <>
            <p className="text-pretty text-soft">
              {event.data && t(`waiting.about.${event.data.extra.photo_approval}`)} {t('waiting.how')}
            </p>
            <Decisions photos={photos} selected={selected} decide={decide} />
            {selected.length === 0 && (
              <First
                key={first.id}
                photo={first}
                onSwiped={to => decide({ approve: to === 'right', photos: [first] })}
              />
            )}
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
              {photos.map(photo => (
                <Waiting
                  key={photo.id}
                  photo={photo}
                  selected={chosen.has(photo.id)}
                  next={selected.length > 0 ? selected.includes(photo) : photo === first}
                  onSelect={() => setChosen(toggled(chosen, photo.id))}
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
type Decide = (decision: Decision) => void

/** What is decided about, and whether the server has been told, is out of the list; if it could not be, it comes back. */
const useDecisions = (eventId: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const { mutate } = useMutation({
    mutationFn: async ({ approve, photos }: Decision) => {
      const input = { event_id: eventId, event_photo_ids: photos.map(({ id }) => Number(id)) }
      await (approve ? api.gallery.approvePhotos(input) : api.gallery.refusePhotos(input))
    },
    onSuccess: (_, { approve }) => {
      say(approve ? t('waiting.approved') : t('waiting.refused'))
      return client.invalidateQueries({ queryKey: waitingKey(eventId) })
    },
    onError: (error, { photos }) => {
      setDecided(all => new Set([...all].filter(id => photos.every(photo => photo.id !== id))))
      sayFailure(error)
    },
  })
  const decide: Decide = ({ approve, photos }) => {
    const asked = photos.slice(0, mostAtOnce)
    setDecided(all => new Set([...all, ...asked.map(({ id }) => id)]))
    mutate({ approve, photos: asked })
  }
  return { decide, decided }
}

const useKeys = (onKey: (key: string) => void) =>
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event.key)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })

type DecisionsProps = { photos: readonly Photo[]; selected: readonly Photo[]; decide: Decide }

const Decisions = ({ photos, selected, decide }: DecisionsProps) => {
  const { t } = useWords()
  return (
    <div className="sticky top-(--bar) z-10 flex flex-wrap gap-2 bg-paper py-2">
      <Button
        icon={<Check className="size-5" aria-hidden="true" />}
        onClick={() => decide({ approve: true, photos: selected.length > 0 ? selected : photos })}
      >
        {selected.length > 0 ? t('waiting.approve') : t('waiting.all')}
      </Button>
      <Button
        look="soft"
        disabled={selected.length === 0}
        icon={<X className="size-5" aria-hidden="true" />}
        onClick={() => decide({ approve: false, photos: selected })}
      >
        {t('waiting.refuse')}
      </Button>
    </div>
  )
}

/** Large enough to see what is to be decided about; a finger pushes it to one side as by the keys. */
const First = ({ photo, onSwiped }: { photo: Photo; onSwiped(to: 'left' | 'right'): void }) => {
  const place = useRef<HTMLDivElement>(null)
  useSwipeAway(place, onSwiped)
  const alt = photo.extra.alt_text ?? ''
  return (
    <div ref={place} className="touch-pan-y overflow-hidden rounded-2xl bg-sunken">
      {photo.extra.video_state?.state === 'ready' ? (
        // biome-ignore lint/a11y/useMediaCaption: guests' films have no captions.
        <video
          src={photo.event_photo_url}
          poster={photo.extra.video_state.poster_url}
          aria-label={alt}
          controls
          playsInline
          preload="none"
          className="mx-auto h-[50dvh] w-full object-contain"
        />
      ) : (
        <img
          src={photo.extra.screen_url}
          alt={alt}
          draggable={false}
          className="mx-auto h-[50dvh] w-full object-contain"
        />
      )}
    </div>
  )
}

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
