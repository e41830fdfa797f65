import { UsersRound } from 'lucide-react'
import { rowsOf } from '../../app/cache/pages.ts'
import { useWords } from '../../app/words.ts'
import { useGuestSearch } from '../../events/guests/guests-named.ts'
import { NameLines } from '../../people/name-lines.tsx'
import { Field } from '../../ui/field.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

type Props = { eventId: number; onChoose(id: number | undefined): void; onClose(): void }

const row = 'flex min-h-14 w-full items-center gap-3 rounded-xl px-2 text-start hover:bg-hover'

/** Selects the photos of everybody, or of any guest. */
export const PersonDialog = ({ eventId, onChoose, onClose }: Props) => {
  const { t } = useWords()
  const { typed, setTyped, name, list } = useGuestSearch(eventId)
  const people = rowsOf(list.data, ({ user }) => user.id).map(({ user }) => user)
  return (
    <Dialog open onClose={onClose} title={t('gallery.person')}>
      <Field
        type="search"
        label={t('gallery.findGuest')}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        autoComplete="off"
        maxLength={100}
      />
      <ul className="mt-2">
        {name === '' && (
          <li>
            <button type="button" className={row} onClick={() => onChoose(undefined)}>
              <UsersRound className="size-10 rounded-full bg-sunken p-2 text-soft" />
              <span className="font-semibold">{t('gallery.everybody')}</span>
            </button>
          </li>
        )}
        {people.map(person => (
          <li key={person.id}>
            <button type="button" className={row} onClick={() => onChoose(person.id)}>
              <Avatar src={person.user_avatar_url} size={40} />
              <NameLines person={person} name="block truncate font-semibold" />
            </button>
          </li>
        ))}
      </ul>
      {list.isPending && <SkeletonRows />}
      <p role="status" className="text-center text-soft">
        {list.data && people.length === 0 && t('gallery.nobodyFound')}
      </p>
      <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
    </Dialog>
  )
}
