import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, Pencil, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { AnswerForDialog, type GuestAnswer } from './answer-for-dialog.tsx'
import { answersKey } from './keys.ts'

/** Who answered what, for organizers: asked for when it is opened. */
export const AnswerList = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const eventId = event.id
  const [asked, setAsked] = useState<GuestAnswer | 'new'>()
  const [opened, setOpened] = useState(false)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...paged,
    queryKey: answersKey(eventId),
    queryFn: ({ pageParam, signal }) =>
      api.plans.listAnswers({ event_id: eventId, page: pageParam, page_length: 100 }, { signal }),
    enabled: opened,
    staleTime: 0,
  })
  const table = useMutation({
    mutationFn: () => api.plans.exportAnswers({ event_id: eventId }),
    onSuccess: ({ csv_name, csv_text }) => {
      const url = URL.createObjectURL(new Blob([csv_text], { type: 'text/csv' }))
      Object.assign(document.createElement('a'), { href: url, download: csv_name }).click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    onError: sayFailure,
  })
  return (
    <details onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold text-ember">
        {t('guests.title')}
      </summary>
      <ul className="divide-y divide-line">
        {rowsOf(data, ({ user }) => user.id).map(answered => (
          <GivenAnswer key={answered.user.id} answered={answered} onChange={() => setAsked(answered)} />
        ))}
      </ul>
      <LoadMore more={hasNextPage} loading={isFetchingNextPage} load={() => void fetchNextPage()} />
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" size="small" icon={<UserRoundPlus className="size-4.5" />} onClick={() => setAsked('new')}>
          {t('answer.add')}
        </Button>
        <Button
          look="quiet"
          size="small"
          busy={table.isPending}
          icon={<Download className="size-4.5" />}
          onClick={() => table.mutate()}
        >
          {t('export.download')}
        </Button>
      </div>
      {asked && (
        <AnswerForDialog
          event={event}
          guest={asked === 'new' ? undefined : asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </details>
  )
}

const GivenAnswer = ({ answered, onChange }: { answered: GuestAnswer; onChange(): void }) => {
  const { t } = useWords()
  const { user, ...given } = answered
  const name = nameOf(user)
  return (
    <li className="grid grid-cols-1 gap-0.5 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-semibold wrap-anywhere" dir="auto">
          {name}
          {given.plus_ones > 0 && given.event_answer !== 'no' && ` +${given.plus_ones}`}
        </span>
        <span className="flex items-center gap-1 text-sm text-soft">
          {given.answer_place === 'line' ? t('answer.line') : t(`answer.${given.event_answer ?? 'none'}`)}
          <IconButton label={t('answer.changeOf', { name })} onClick={onChange}>
            <Pencil />
          </IconButton>
        </span>
      </div>
      {given.person_added && <p className="text-sm text-soft">{t('answer.added')}</p>}
      {[given.plus_names, given.answer_note].map(
        (words, at) =>
          words && (
            <p key={at === 0 ? 'names' : 'note'} className="text-sm text-soft wrap-anywhere" dir="auto">
              {words}
            </p>
          ),
      )}
    </li>
  )
}
