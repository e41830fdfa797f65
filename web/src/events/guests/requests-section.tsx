import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useWords } from '../../app/words.ts'
import { nameOf, type Person } from '../../people/names.ts'
import { PersonLine } from '../../people/person-line.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Returns } from '../links/returns.tsx'
import { returnsQuery } from '../links/returns-queries.ts'
import { requestsQuery } from '../queries.ts'
import { answerRequest } from './join-answer-act.ts'

/** Who asks to come in, or to come back, for organizers. */
export const RequestsSection = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const list = useInfiniteQuery(requestsQuery(eventId))
  const people = rowsOf(list.data, person => person.id)
  const back = rowsOf(useInfiniteQuery(returnsQuery(eventId)).data, ({ id }) => id)
  if (people.length + back.length === 0) return null
  return (
    <section className="grid grid-cols-1 gap-2 rounded-2xl bg-glow p-4 text-on-glow">
      <h2 className="font-semibold">{t('requests.title')}</h2>
      <Returns eventId={eventId} asking={back} />
      <ul>
        {people.map(person => (
          <PersonLine key={person.id} person={person}>
            <Answer eventId={eventId} person={person} />
          </PersonLine>
        ))}
      </ul>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </section>
  )
}

const Answer = ({ eventId, person }: { eventId: number; person: Person }) => {
  const { t } = useWords()
  const name = nameOf(person)
  return (
    <>
      <Button
        size="small"
        icon={<Check className="size-4.5" />}
        aria-label={t('requests.approveWho', { name })}
        onClick={() => answerRequest(eventId, person, true)}
      >
        {t('requests.approve')}
      </Button>
      <IconButton label={t('requests.rejectWho', { name })} onClick={() => answerRequest(eventId, person, false)}>
        <X />
      </IconButton>
    </>
  )
}
