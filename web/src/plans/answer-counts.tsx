import { queryOptions, useQuery } from '@tanstack/react-query'
import { count } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { answerKey } from './keys.ts'

/** The viewer's answer, and how many people come. */
export const answerQuery = (event_id: number) =>
  queryOptions({
    queryKey: answerKey(event_id),
    queryFn: () => api.plans.readAnswer({ event_id }),
    staleTime: 0,
  })

/** The one line that counts answers, companions included. */
export const AnswerCounts = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const { data: own } = useQuery(answerQuery(eventId))
  if (!own) return null
  const places = own.event_places === null ? '' : ` / ${count(own.event_places)}`
  const others = [
    [own.line_count, t('answer.line')],
    [own.maybe_count, t('answer.maybe')],
    [own.unanswered_count, t('answer.none')],
    [own.no_count, t('invitation.answer.no')],
  ] as const
  const more = others.filter(([people]) => people > 0).map(([people, words]) => ` · ${count(people)} ${words}`)
  return (
    <p>
      <strong className="font-semibold">{`${t('answer.coming', { people: count(own.going_count) })}${places}`}</strong>
      {more.join('')}
    </p>
  )
}
