import { speech, useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Avatar } from '../ui/pictures/avatar.tsx'
import type { SeenUser } from './history/window.ts'

const facesMax = 6

let list: { locale: string; format: Intl.ListFormat } | undefined
/** Created once: each one takes a slow phone milliseconds. */
const joined = (names: string[]) => {
  const { locale } = speech.get()
  // Engines of a few years ago lack list formats.
  if (!Intl.ListFormat) return names.join(', ')
  if (list?.locale !== locale) list = { locale, format: new Intl.ListFormat(locale) }
  return list.format.format(names)
}

/** The faces of the people who have read exactly this far. */
export const SeenFaces = ({ readers }: { readers: readonly SeenUser[] }) => {
  const { t } = useWords()
  const names = readers.slice(0, 10).map(nameOf)
  return (
    <div className="flex items-center justify-end gap-1 pt-1">
      <span className="flex -space-x-1" aria-hidden="true">
        {readers.slice(0, facesMax).map(user => (
          <Avatar key={user.id} src={user.user_avatar_url} size={16} className="ring-1 ring-paper" />
        ))}
      </span>
      {readers.length > facesMax && <span className="text-xs text-soft">+{readers.length - facesMax}</span>}
      <span className="sr-only">{t('chat.seenBy', { names: joined(names) })}</span>
    </div>
  )
}
