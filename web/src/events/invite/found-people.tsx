import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { NameLines } from '../../people/name-lines.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import type { Guest } from '../queries.ts'

/** Who has this name; before one is typed, friends. */
export const useFound = (name: string) =>
  useQuery({
    queryKey: ['people-found', name],
    queryFn: async ({ signal }) => {
      const first = { page: 1, page_length: 30 }
      return name ? api.people.searchUsers({ name, ...first }, { signal }) : api.people.listFriends(first, { signal })
    },
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

export const People = ({ people, roles, chosen, onToggle }: PeopleProps) => (
  <ul className="grid grid-cols-1 max-h-[42dvh] gap-1 overflow-y-auto">
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
