import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lastOf, type Message, sequenceOf, type Window } from './window.ts'

const facesMax = 6

/** The faces of those who have read exactly this far. */
export const SeenFaces = ({ message, shown }: { message: Message; shown: Window }) => {
  const { t } = useWords()
  const sequence = sequenceOf(message)
  // Behind the last one loaded there may be more that they have read.
  if (!shown.atEnd && sequence === lastOf(shown)) return null
  const me = session.get()?.userId
  const people = Object.values(shown.marks)
    .filter(mark => mark.sequence === sequence && mark.user.id !== me && mark.user.id !== message.user.id)
    .map(({ user }) => user)
  if (people.length === 0) return null
  const names = people.slice(0, 10).map(nameOf)
  return (
    <div className="flex items-center justify-end gap-1 pt-1">
      <span className="flex -space-x-1" aria-hidden="true">
        {people.slice(0, facesMax).map(user => (
          <Avatar key={user.id} src={user.user_avatar_url} size={16} className="ring-1 ring-paper" />
        ))}
      </span>
      {people.length > facesMax && <span className="text-xs text-soft">+{people.length - facesMax}</span>}
      <span className="sr-only">{t('chat.seenBy', { names: new Intl.ListFormat().format(names) })}</span>
    </div>
  )
}
