import { AfterglowError } from '@afterglow/sdk/methods'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { toggled } from '../../app/toggled.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say, sayProblem } from '../../ui/layers/toasts.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type Event, guestsQuery } from '../queries.ts'
import { People, useFound } from './found-people.tsx'

type Props = { event: Event; onClose(): void }

/** Finds people by name and invites all selected ones at once. Before a name is typed: friends. */
export const ByNameDialog = ({ event, onClose }: Props) => {
  const { t } = useWords()
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const { chosen, setChosen, invite } = useInvitation(event.id, onClose)
  const found = useFound(name)
  // People who are already in need no invitation.
  const guests = useInfiniteQuery(guestsQuery(event.id))
  const roles = new Map(guests.data?.pages.flatMap(({ data }) => data.map(each => [each.user.id, each.event_role])))
  const people = found.data?.data ?? []
  return (
    <Dialog open onClose={onClose} title={t('invite.byName')}>
      <div className="grid gap-3">
        <Field
          label={t('invite.search')}
          type="search"
          value={typed}
          onChange={change => setTyped(change.target.value)}
          autoComplete="off"
        />
        {found.isPending ? (
          <SkeletonRows rows={3} />
        ) : people.length === 0 ? (
          <p className="py-6 text-center text-soft">{name ? t('invite.nobody') : t('invite.noFriends')}</p>
        ) : (
          <People {...{ people, roles, chosen }} onToggle={id => setChosen(toggled(chosen, id))} />
        )}
        <Button
          size="large"
          disabled={chosen.size === 0}
          busy={invite.isPending}
          onClick={() => invite.mutate([...chosen])}
        >
          {chosen.size > 0 ? t('invite.send', { count: chosen.size }) : t('invite.act')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The selected people, and inviting them: those who cannot be invited are no longer selected. */
const useInvitation = (event_id: number, onDone: () => void) => {
  const { t } = useWords()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const invite = useMutation({
    mutationFn: (user_ids: readonly number[]) => api.events.invite({ event_id, user_ids: [...user_ids] }),
    onSuccess: ({ invited_count }) => {
      say(t('invite.done', { count: invited_count }))
      onDone()
    },
    onError: (error, asked) => {
      const fields = error instanceof AfterglowError ? error.fields : {}
      const left = asked.filter((_, at) => !fields[`user_ids.${at}`])
      if (left.length === asked.length) return sayFailure(error)
      setChosen(new Set(left))
      sayProblem(t('invite.gone'))
    },
  })
  return { chosen, setChosen, invite }
}
