import { type Listed, withoutRow } from '../../app/cache/pages.ts'
import { queryClient } from '../../app/cache/query.ts'
import { api } from '../../app/net/client.ts'
import type { Performer } from '../../app/storage/pending-acts.ts'
import { t } from '../../app/words.ts'
import { nameOf, type Person } from '../../people/names.ts'
import { sayFailure } from '../../ui/failure.ts'
import { doUndoably } from '../../ui/undoable.ts'
import { requestsKey } from '../keys.ts'

/* Answers to those who ask to join, which wait for a network if there is none. */

type Given = { event_id: number; user_id: number; approve: boolean }

declare module '../../app/storage/pending-acts.ts' {
  interface Acts {
    joinAnswer: Given
  }
}

const show = ({ event_id, user_id }: Given) =>
  queryClient.setQueryData<Listed<Person>>(
    requestsKey(event_id),
    asking => asking && withoutRow(asking, ({ id }) => id === user_id),
  )
const reload = (eventId: number) => queryClient.invalidateQueries({ queryKey: requestsKey(eventId) })

export const joinAnswer: Performer<'joinAnswer'> = {
  show,
  async perform({ approve, ...request }) {
    await (approve ? api.events.approveJoinRequest(request) : api.events.rejectJoinRequest(request))
    void reload(request.event_id)
  },
  undo({ event_id }, refusal) {
    void reload(event_id)
    sayFailure(refusal)
  },
}

/** Lets somebody in, or not. */
export const answerRequest = (event_id: number, person: Person, approve: boolean) => {
  const key = requestsKey(event_id)
  const before = queryClient.getQueryData(key)
  const given = { event_id, user_id: person.id, approve }
  show(given)
  const name = nameOf(person)
  const text = approve ? t('requests.approved', { name }) : t('requests.rejected', { name })
  doUndoably(['joinAnswer', `request ${event_id} ${person.id}`, given], text, () =>
    queryClient.setQueryData(key, before),
  )
}
