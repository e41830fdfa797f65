import type { ReactNode } from 'react'
import { nameOf, type Person } from './names.ts'

/** A person's name in a list, followed by their username or other information. */
export const NameLines = ({ person, about, name }: { person: Person; about?: ReactNode; name: string }) => (
  <span className="min-w-0 flex-1">
    <span className={`leading-snug ${name}`} dir="auto">
      {nameOf(person)}
    </span>
    <span className="block truncate text-sm text-soft">{about || <bdi dir="ltr">@{person.user_username}</bdi>}</span>
  </span>
)
