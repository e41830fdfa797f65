import { ChevronRight, Globe, Link2, Lock, UserRoundPlus, UsersRound } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { isIn } from '../events/event-words.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import type { Event } from '../events/queries.ts'

const card = 'divide-y divide-line overflow-hidden rounded-2xl border border-line bg-card shadow-card'

/** How many come, and the way to them. */
export const Guests = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const inside = isIn(event)
  const fact = (
    <div className="flex min-w-0 flex-1 items-start gap-3.5 p-4">
      <UsersRound className="mt-0.5 size-5 text-ember" />
      <div className="min-w-0 flex-1">
        {t('event.guests', { count: event.event_guests_count })}
        {inside && <GuestFaces eventId={event.id} />}
      </div>
    </div>
  )
  return (
    <div className={card}>
      {inside ? (
        <Link to="/events/:eventId/guests" params={{ eventId: event.id }} className="flex items-center hover:bg-hover">
          {fact}
          {event.extra.may.invite && <UserRoundPlus className="me-3 size-5 text-soft" />}
          <ChevronRight className="me-3 size-5 text-soft rtl:-scale-x-100" />
        </Link>
      ) : (
        fact
      )}
    </div>
  )
}

/** Who sees it, and how one joins. */
export const Openness = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const Seen = { 1: Globe, 2: Link2, 3: Lock }[event.event_visibility] ?? Globe
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <Seen className="size-4 shrink-0" aria-hidden="true" />
      <span className="sr-only">{t('event.who')}</span>
      {t(`event.visibility.${event.event_visibility as 1 | 2 | 3}`)} ·{' '}
      {t(`event.joinMode.${event.event_join_mode as 1 | 2 | 3}`)}
    </p>
  )
}
