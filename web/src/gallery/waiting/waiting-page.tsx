import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Check, ImageUp, X } from 'lucide-react'
import { useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useParams } from '../../app/router/router.tsx'
import { toggled } from '../../app/toggled.ts'
import { useWords } from '../../app/words.ts'
import { EventFailed } from '../../events/event-failed.tsx'
import { waitingOf } from '../../events/event-words.ts'
import { eventQuery } from '../../events/queries.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type Photo, waitingQuery } from '../queries.ts'
import { type Decide, useDecisions } from './decisions.ts'
import { First, Waiting } from './waiting-photo.tsx'

/**
 * Photos that wait to be approved: the first is shown large, to be swiped. A decided photo leaves at once, so the next
 * one waits for no answer.
 */
export const WaitingPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/waiting')
  const list = useInfiniteQuery(waitingQuery(eventId))
  const event = useQuery(eventQuery(eventId))
  const { decide, decided, isPending } = useDecisions(eventId)
  const photos = rowsOf(list.data, ({ id }) => id).filter(({ id }) => !decided.has(id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = photos.filter(({ id }) => chosen.has(id))
  const [first] = photos
  const count = event.data ? waitingOf(event.data, 'photos') : 0
  return (
    <>
      <title>{`${t('waiting.title')} · Afterglow`}</title>
      <PageHeader title={t('waiting.title')} back={{ to: '/events/:eventId', params: { eventId } }} />
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-4 px-4 py-4">
        {list.isPending && <SkeletonRows rows={3} />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && photos.length === 0 && <Notice icon={ImageUp} title={t('waiting.none')} />}
        {first && (
          <>
            <p className="text-pretty text-soft">
              {event.data && t(`waiting.about.${event.data.extra.photo_approval}`)} {t('waiting.how')}
            </p>
            <Decisions count={count} busy={isPending} selected={selected} decide={decide} />
            {selected.length === 0 && (
              <First key={first.id} photo={first} onDecide={approve => decide({ approve, photos: [first] })} />
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

type DecisionsProps = { count: number; busy: boolean; selected: readonly Photo[]; decide: Decide }

/** Decides about the selected photos, or about all of them, as many as the service says. */
const Decisions = ({ count, busy, selected, decide }: DecisionsProps) => {
  const { t } = useWords()
  const isSome = selected.length > 0
  return (
    <div className="sticky top-(--bar) z-10 flex flex-wrap gap-2 bg-paper py-2">
      <Button
        busy={busy && !isSome}
        disabled={!isSome && count === 0}
        icon={<Check className="size-5" />}
        onClick={() => decide({ approve: true, photos: isSome ? selected : 'all' })}
      >
        {isSome ? t('waiting.approve') : t('waiting.all', { count })}
      </Button>
      {isSome && (
        <Button
          look="soft"
          icon={<X className="size-5" />}
          onClick={() => decide({ approve: false, photos: selected })}
        >
          {t('waiting.refuse')}
        </Button>
      )}
    </div>
  )
}
