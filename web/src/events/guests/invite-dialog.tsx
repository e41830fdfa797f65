import { AfterglowError } from '@afterglow/sdk/methods'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { toggled } from '../../app/toggled.ts'
import { useWords } from '../../app/words.ts'
import { NameLines } from '../../people/name-lines.tsx'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say, sayProblem } from '../../ui/layers/toasts.ts'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type Event, type Guest, guestsQuery } from '../queries.ts'

type Props = { event: Event; open: boolean; onClose(): void }

/** Finds people by name and invites all selected ones at once. Before a name is typed: friends. */
export const InviteDialog = ({ event, open, onClose }: Props) => {
  const { t } = useWords()
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const { chosen, setChosen, invite } = useInvitation(event.id, () => close())
  const found = useFound(name, open)
  // People who are already in need no invitation.
  const guests = useInfiniteQuery({ ...guestsQuery(event.id), enabled: open })
  const roles = new Map(guests.data?.pages.flatMap(({ data }) => data.map(each => [each.user.id, each.event_role])))
  const close = () => {
    setChosen(new Set())
    setTyped('')
    onClose()
  }
  const people = found.data?.data ?? []
  return (
    <Dialog open={open} onClose={close} title={t('invite.title')}>
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

/** Who is selected, and inviting them: whoever cannot be is no longer selected. */
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

const useFound = (name: string, open: boolean) =>
  useQuery({
    queryKey: ['people-found', name],
    queryFn: async ({ signal }) => {
      const first = { page: 1, page_length: 30 }
      return name ? api.people.searchUsers({ name, ...first }, { signal }) : api.people.listFriends(first, { signal })
    },
    enabled: open,
    gcTime: 60_000,
    placeholderData: before => before,
  })

type FoundPerson = NonNullable<ReturnType<typeof useFound>['data']>['data'][number]
type PeopleProps = {
  people: readonly FoundPerson[]
  /** Of those who are in the event, by their IDs. */
  roles: ReadonlyMap<number, Guest['event_role']>
  chosen: ReadonlySet<number>
  onToggle(id: number): void
}

const People = ({ people, roles, chosen, onToggle }: PeopleProps) => (
  <ul className="grid grid-cols-1 max-h-[42dvh] gap-0.5 overflow-y-auto">
    {people.map(person => (
      <Found
        key={person.id}
        person={person}
        role={roles.get(person.id)}
        chosen={chosen.has(person.id)}
        onToggle={() => onToggle(person.id)}
      />
    ))}
  </ul>
)

type FoundProps = { person: FoundPerson; role: Guest['event_role'] | undefined; chosen: boolean; onToggle(): void }
/** Somebody who may be chosen, unless they are in the event already. */
const Found = ({ person, role, chosen, onToggle }: FoundProps) => {
  const { t } = useWords()
  return (
    <li>
      <button
        type="button"
        disabled={role !== undefined}
        aria-pressed={chosen}
        onClick={onToggle}
        className="group flex w-full items-center gap-3 rounded-xl p-2 text-start enabled:hover:bg-hover"
      >
        <Avatar src={person.user_avatar_url} size={40} />
        <NameLines person={person} name="block truncate font-medium" />
        {role ? (
          <span className="text-sm text-soft">{t(`event.role.${role}`)}</span>
        ) : (
          <span className="grid size-6 place-items-center rounded-full border border-edge group-aria-pressed:border-ember group-aria-pressed:bg-ember">
            <Check className="size-4 text-on-ember opacity-0 group-aria-pressed:opacity-100" aria-hidden="true" />
          </span>
        )}
      </button>
    </li>
  )
}
