import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { briefly } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { PersonLine } from '../../people/person-line.tsx'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { say } from '../../ui/layers/toasts.ts'
import { returnsKey } from '../keys.ts'
import type { ReturnRequest } from './returns-queries.ts'

/** People in a new browser who say that they were here before: organizers see whom they could be, and decide. */
export const Returns = ({ eventId, asking }: { eventId: number; asking: readonly ReturnRequest[] }) =>
  asking.length > 0 && (
    <ul className="grid grid-cols-1 gap-3">
      {asking.map(request => (
        <Asking key={request.id} eventId={eventId} request={request} />
      ))}
    </ul>
  )

const Asking = ({ eventId, request }: { eventId: number; request: ReturnRequest }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { id: return_id, created_at, user_device_platform } = request
  const name = [request.user_first_name, request.user_last_name].filter(Boolean).join(' ')
  const answer = useMutation({
    mutationFn: async (user_id: number | undefined) => {
      if (user_id === undefined) await api.returns.rejectReturn({ return_id })
      else await api.returns.approveReturn({ return_id, user_id })
    },
    onSuccess: (_, user_id) => say(t(user_id === undefined ? 'requests.rejected' : 'requests.approved', { name })),
    onError: sayFailure,
    onSettled: () => client.invalidateQueries({ queryKey: returnsKey(eventId) }),
  })
  return (
    <li className="grid grid-cols-1 gap-2 rounded-2xl border border-line bg-card p-3">
      <p className="px-2 font-semibold text-pretty wrap-anywhere">
        {request.asked_by ? t('returns.isAdded', { name }) : t('returns.says', { name })}
      </p>
      <p className="px-2 text-sm text-soft">
        {t('returns.asked', { when: briefly(created_at), device: user_device_platform })}
      </p>
      <ul>
        {request.candidates.map(({ user, last_used_at }) => (
          <Candidate
            key={user.id}
            person={user}
            lastUsedAt={last_used_at}
            busy={answer.isPending && answer.variables === user.id}
            onChoose={() => answer.mutate(user.id)}
          />
        ))}
      </ul>
      <Button
        look="bare"
        size="small"
        icon={<X className="size-4.5" aria-hidden="true" />}
        disabled={answer.isPending}
        onClick={() => answer.mutate(undefined)}
      >
        {t('returns.no')}
      </Button>
    </li>
  )
}

type CandidateProps = {
  person: ReturnRequest['candidates'][number]['user']
  lastUsedAt: string | null
  busy: boolean
  onChoose(): void
}

/** Somebody in the event whom they could be. */
const Candidate = ({ person, lastUsedAt, busy, onChoose }: CandidateProps) => {
  const { t } = useWords()
  return (
    <PersonLine
      person={person}
      about={lastUsedAt ? t('returns.lastSeen', { when: briefly(lastUsedAt) }) : t('returns.away')}
    >
      <Button
        size="small"
        busy={busy}
        icon={<Check className="size-4.5" aria-hidden="true" />}
        aria-label={t('requests.approveWho', { name: nameOf(person) })}
        onClick={onChoose}
      >
        {t('requests.approve')}
      </Button>
    </PersonLine>
  )
}
