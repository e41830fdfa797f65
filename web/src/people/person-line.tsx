import type { ReactNode } from 'react'
import { Link } from '../app/router/router.tsx'
import { Avatar } from '../ui/pictures/avatar.tsx'
import { NameLines } from './name-lines.tsx'
import type { Person } from './names.ts'

/** A person in a list, who opens when tapped; actions are at the end. */
export const PersonLine = ({
  person,
  about,
  below,
  children,
}: {
  person: Person
  about?: ReactNode
  below?: ReactNode[]
  children?: ReactNode
}) => (
  <li className="flex min-h-16 flex-wrap items-center gap-2 rounded-2xl px-2 hover:bg-hover">
    <Link
      to="/people/:userId"
      params={{ userId: person.id }}
      className="flex min-w-0 flex-[1_1_8.5rem] items-center gap-3 rounded-xl py-2"
    >
      <Avatar src={person.user_avatar_url} size={44} />
      <NameLines person={person} about={about} name="line-clamp-2 font-semibold wrap-anywhere" />
    </Link>
    {/* Actions that do not fit beside the name stand below it, together. */}
    {children && <div className="ms-auto flex flex-wrap items-center justify-end gap-2">{children}</div>}
    {below && below.length > 0 && <div className="basis-full ps-14 pb-2 text-sm text-soft wrap-anywhere">{below}</div>}
  </li>
)
