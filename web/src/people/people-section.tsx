import { useWords } from '../app/words.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { nameOf, type Person } from './names.ts'

/** People under a title, or a note that there is nobody yet. */
export const PeopleSection = ({ title, people, loading }: { title: string; people: Person[]; loading: boolean }) => {
  const { t } = useWords()
  return (
    <section className="pb-4">
      <h3 className="py-2 text-sm font-semibold wrap-anywhere text-soft" dir="auto">
        {title}
      </h3>
      {loading && <SkeletonRows rows={2} picture="size-9 rounded-full" />}
      {!loading && people.length === 0 && <p className="text-soft">{t('chat.nobodyYet')}</p>}
      <ul className="grid grid-cols-1 gap-2">
        {people.map(person => (
          <li key={person.id} className="flex items-center gap-3">
            <Avatar src={person.user_avatar_url} size={36} />
            <span dir="auto">{nameOf(person)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
