import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, UserRoundCheck, X } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { nameOf, type Person } from '../../people/names.ts'
import { PersonLine } from '../../people/person-line.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EventFailed } from '../event-failed.tsx'
import { Returns } from '../links/returns.tsx'
import { returnsQuery } from '../links/returns-queries.ts'
import { requestsQuery } from '../queries.ts'
import { answerRequest } from './join-answer-act.ts'

export const RequestsPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/requests')
  const list = useInfiniteQuery(requestsQuery(eventId))
  const people = rowsOf(list.data, person => person.id)
  const back = rowsOf(useInfiniteQuery(returnsQuery(eventId)).data, ({ id }) => id)
  return (
    <>
      <title>{`${t('requests.title')} · Afterglow`}</title>
      <PageHeader title={t('requests.title')} back={{ to: '/events/:eventId', params: { eventId } }} backOnDesktop />
      <div className="mx-auto max-w-2xl px-2 py-4 sm:px-4">
        {list.isPending && <SkeletonRows rows={3} />}
        {list.isError && !list.data && <EventFailed error={list.error} retry={() => void list.refetch()} />}
        {list.data && people.length + back.length === 0 && <Notice icon={UserRoundCheck} title={t('requests.none')} />}
        <Returns eventId={eventId} asking={back} />
        <ul>
          {people.map(person => (
            <PersonLine key={person.id} person={person}>
              <Answer eventId={eventId} person={person} />
            </PersonLine>
          ))}
        </ul>
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
    </>
  )
}

const Answer = ({ eventId, person }: { eventId: number; person: Person }) => {
  const { t } = useWords()
  const name = nameOf(person)
  return (
    <>
      <Button
        size="small"
        icon={<Check className="size-4.5" aria-hidden="true" />}
        aria-label={t('requests.approveWho', { name })}
        onClick={() => answerRequest(eventId, person, true)}
      >
        {t('requests.approve')}
      </Button>
      <IconButton label={t('requests.rejectWho', { name })} onClick={() => answerRequest(eventId, person, false)}>
        <X aria-hidden="true" />
      </IconButton>
    </>
  )
}
