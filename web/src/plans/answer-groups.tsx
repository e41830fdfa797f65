import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Download, Pencil, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { paged, rowsOf } from '../app/cache/pages.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { isAhead } from '../events/event-words.ts'
import { GuestRow } from '../events/guests/guest-row.tsx'
import type { Event, Guest } from '../events/queries.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Section } from '../ui/section.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { answerQuery } from './answer-counts.tsx'
import { AnswerForDialog, type GuestAnswer } from './answer-for-dialog.tsx'
import { answersKey } from './keys.ts'
import { RemindGuests } from './remind-guests.tsx'

const groups = ['going', 'line', 'maybe', 'none', 'no'] as const
const groupOf = ({ event_answer, answer_place }: GuestAnswer) =>
  answer_place === 'line' ? 'line' : (event_answer ?? 'none')

/** For organizers: people by answer, with companions and notes, and the table for the caterer. */
export const AnswerGroups = ({ event, guests }: { event: Event; guests: readonly Guest[] }) => {
  const { t } = useWords()
  const [asked, setAsked] = useState<GuestAnswer | 'new'>()
  const { data: own } = useQuery(answerQuery(event.id))
  const list = useInfiniteQuery({
    ...paged,
    queryKey: answersKey(event.id),
    queryFn: ({ pageParam, signal }) =>
      api.plans.listAnswers({ event_id: event.id, page: pageParam, page_length: 100 }, { signal }),
    staleTime: 0,
  })
  const answers = rowsOf(list.data, ({ user }) => user.id)
  const titles = {
    going: t('answer.coming', { people: own?.going_count ?? '' }),
    line: `${t('answer.line')} · ${own?.line_count ?? ''}`,
    maybe: `${t('answer.maybe')} · ${own?.maybe_count ?? ''}`,
    none: `${t('answer.none')} · ${own?.unanswered_count ?? ''}`,
    no: `${t('invitation.answer.no')} · ${own?.no_count ?? ''}`,
  }
  if (list.isPending) return <SkeletonRows />
  return (
    <>
      {own && isAhead(event) && <RemindGuests own={own} />}
      {groups.map(group => {
        const people = answers.filter(each => groupOf(each) === group)
        if (people.length === 0) return null
        return (
          <Section key={group} title={titles[group]}>
            <ul className="-mx-2">
              {people.map(answered => (
                <Answered
                  key={answered.user.id}
                  {...{ event, answered }}
                  guest={guests.find(({ user }) => user.id === answered.user.id)}
                  onChange={() => setAsked(answered)}
                />
              ))}
            </ul>
          </Section>
        )
      })}
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" size="small" icon={<UserRoundPlus className="size-4.5" />} onClick={() => setAsked('new')}>
          {t('answer.add')}
        </Button>
        <AnswersTable eventId={event.id} />
      </div>
      {asked && (
        <AnswerForDialog
          event={event}
          guest={asked === 'new' ? undefined : asked}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type AnsweredProps = { event: Event; answered: GuestAnswer; guest: Guest | undefined; onChange(): void }

/** Organizers are listed first, so a guest who is not loaded yet is no organizer. */
const Answered = ({ event, answered, guest, onChange }: AnsweredProps) => {
  const { t } = useWords()
  const { user, plus_ones, plus_names, answer_note, person_added, event_answer } = answered
  const brings = plus_ones > 0 && event_answer !== 'no' ? `+${plus_ones}` : ''
  return (
    <GuestRow
      event={event}
      guest={guest ?? { user, event_role: 'guest', event_owner: false }}
      brings={brings}
      more={[person_added && t('answer.added'), plus_names, answer_note].filter(
        words => words !== null && words !== false,
      )}
      change={{ label: t('answer.change'), icon: Pencil, act: onChange }}
    />
  )
}

const AnswersTable = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
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
    <Button
      look="quiet"
      size="small"
      busy={table.isPending}
      icon={<Download className="size-4.5" />}
      onClick={() => table.mutate()}
    >
      {t('export.download')}
    </Button>
  )
}
