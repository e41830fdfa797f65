import { CalendarDays, ChevronRight, Globe, Link2, Lock, MapPin, UserRoundPlus, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNow } from '../app/now.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { cancelled, isIn, whenOf, zoneHint } from '../events/event-words.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import { mapOf } from '../events/map.ts'
import { phaseAt } from '../events/phase.ts'
import type { Event } from '../events/queries.ts'
import { EventCalendar } from './event-calendar.tsx'

/** The day and the place, and the way into one's calendar. */
export const WhenAndWhere = ({ event, calendar }: { event: Event; calendar: boolean }) => {
  const { t } = useWords()
  const zone = zoneHint(event)
  const isOver = phaseAt(event, useNow()) === 'after'
  return (
    <div className={card}>
      <Fact icon={<CalendarDays />} label={t('event.when')}>
        <span className="font-semibold">{whenOf(event)}</span>
        {zone && <span className="block text-sm text-soft">{t('event.zone', { zone })}</span>}
      </Fact>
      {event.event_location && (
        <a
          href={mapOf(event.event_location)}
          target="_blank"
          rel="noreferrer"
          className="flex items-center hover:bg-hover"
        >
          <Fact icon={<MapPin />} label={t('event.where')}>
            <span dir="auto">{event.event_location}</span>
            <span className="block text-sm font-semibold text-ember">{t('event.map')}</span>
          </Fact>
        </a>
      )}
      {calendar && !cancelled(event) && !isOver && (
        <div className="px-4 py-2.5">
          <EventCalendar event={event} />
        </div>
      )}
    </div>
  )
}
const card = 'divide-y divide-line overflow-hidden rounded-2xl border border-line bg-card shadow-card'

/** How many come, and the way to them. */
export const Guests = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const inside = isIn(event)
  const fact = (
    <Fact icon={<UsersRound />} label={t('guests.title')}>
      {t('event.guests', { count: event.event_guests_count })}
      {inside && <GuestFaces eventId={event.id} />}
    </Fact>
  )
  return (
    <div className={card}>
      {inside ? (
        <Link to="/events/:eventId/guests" params={{ eventId: event.id }} className="flex items-center hover:bg-hover">
          {fact}
          {event.extra.may.invite && <UserRoundPlus className="me-3 size-5 text-soft" aria-hidden="true" />}
          <ChevronRight className="me-3 size-5 text-soft rtl:-scale-x-100" aria-hidden="true" />
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

const Fact = ({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-1 items-start gap-3.5 p-4">
    <span className="mt-0.5 text-ember [&>svg]:size-5" aria-hidden="true">
      {icon}
    </span>
    <div className="min-w-0 flex-1">
      <p className="sr-only">{label}</p>
      <div className="wrap-anywhere">{children}</div>
    </div>
  </div>
)
