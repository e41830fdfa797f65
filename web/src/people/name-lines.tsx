import type { ReactNode } from 'react'
import { nameOf, type Person } from './names.ts'

/** A person's name in a list, followed by their username or other information. */
export const NameLines = ({ person, about, name }: { person: Person; about?: ReactNode; name: string }) => (
  <span className="min-w-0 flex-1">
    <span className={`leading-snug ${name}`} dir="auto">
      {nameOf(person)}
    </span>
    {/* Cut at its own end, whichever side that is on. */}
    <span className="block truncate text-sm text-soft" dir="auto">
      {about || `@${person.user_username}`}
    </span>
  </span>
)
