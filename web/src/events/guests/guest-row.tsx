import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { PersonLine } from '../../people/person-line.tsx'
import type { MenuItem } from '../../ui/layers/menu.tsx'
import type { Event } from '../queries.ts'
import { type GuestInMenu, GuestMenu } from './guest-menu.tsx'

type Props = {
  guest: GuestInMenu
  event: Event
  /** How many come with them. */
  brings?: string
  /** What else they said, below the name. */
  more?: readonly string[]
  change?: MenuItem
}

export const GuestRow = ({ guest, event, brings, more = [], change }: Props) => {
  const { t } = useWords()
  const offered = event.extra.may.own && event.extra.offered_to === guest.user.id
  const me = guest.user.id === session.get()?.userId
  return (
    <PersonLine
      person={guest.user}
      about={
        (offered && t('guests.offered')) ||
        (me && (
          <span className="flex gap-1" dir={document.documentElement.dir}>
            <span className="truncate" dir="auto">
              @{guest.user.user_username}
            </span>
            <span className="shrink-0">· {t('guests.you')}</span>
          </span>
        ))
      }
      below={more.map(words => (
        <p key={words} dir="auto">
          {words}
        </p>
      ))}
    >
      {brings && <span className="font-semibold">{brings}</span>}
      {guest.event_role === 'organizer' && (
        <span className="rounded-full bg-glow px-3 py-1 text-sm font-medium text-on-glow">
          {t(guest.event_owner ? 'event.role.owner' : 'event.role.organizer')}
        </span>
      )}
      <GuestMenu {...{ guest, event, offered, me, change }} />
    </PersonLine>
  )
}
