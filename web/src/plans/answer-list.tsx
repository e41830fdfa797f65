import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { answersKey } from './keys.ts'

/** Who answered what, for organizers: asked for when it is opened. */
export const AnswerList = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
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
          <GivenAnswer key={answered.user.id} answered={answered} />
        ))}
      </ul>
      <LoadMore more={hasNextPage} loading={isFetchingNextPage} load={() => void fetchNextPage()} />
      <Button
        look="quiet"
        size="small"
        busy={table.isPending}
        icon={<Download className="size-4.5" aria-hidden="true" />}
        onClick={() => table.mutate()}
      >
        {t('export.download')}
      </Button>
    </details>
  )
}

type Answered = Awaited<ReturnType<typeof api.plans.listAnswers>>['data'][number]

const GivenAnswer = ({ answered: { user, ...given } }: { answered: Answered }) => {
  const { t } = useWords()
  return (
    <li className="grid grid-cols-1 gap-0.5 py-2.5">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="font-semibold wrap-anywhere" dir="auto">
          {nameOf(user)}
          {given.plus_ones > 0 && ` +${given.plus_ones}`}
        </span>
        <span className="text-sm text-soft">
          {given.answer_place === 'line' ? t('answer.line') : t(`answer.${given.event_answer ?? 'none'}`)}
        </span>
      </div>
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
