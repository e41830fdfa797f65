import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { PersonLine } from '../../people/person-line.tsx'
import type { Event, Guest } from '../queries.ts'
import { GuestMenu } from './guest-menu.tsx'

export const GuestRow = ({ guest, event }: { guest: Guest; event: Event }) => {
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
    >
      {guest.event_role === 'organizer' && (
        <span className="rounded-full bg-glow px-3 py-1 text-sm font-medium text-on-glow">
          {t(guest.event_owner ? 'event.role.owner' : 'event.role.organizer')}
        </span>
      )}
      <GuestMenu {...{ guest, event, offered, me }} />
    </PersonLine>
  )
}
