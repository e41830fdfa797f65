import { Crown, Printer, UserRoundPlus } from 'lucide-react'
import { until } from '../app/date-format.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import { askToInvite } from '../events/invite/inviting.ts'
import type { Event } from '../events/queries.ts'
import { Button, buttonClass } from '../ui/button.tsx'

/** Until it begins: how long that is, who comes, and what there is to do. */
export const Before = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  return (
    <section
      aria-label={t('evening.before')}
      className={`grid gap-4 rounded-3xl p-5 ${event.extra.may.manage ? 'bg-glow text-on-glow' : 'border border-line bg-card'}`}
    >
      <p className="font-display text-3xl font-semibold text-balance">{until(event.event_starts_at)}</p>
      <Link to="/events/:eventId/guests" params={params} className="[&_.ring-card]:ring-glow">
        <span className="font-semibold">{t('event.guests', { count: event.event_guests_count })}</span>
        <GuestFaces eventId={event.id} />
      </Link>
      {event.extra.may.manage && (
        <>
          <Button
            size="large"
            icon={<UserRoundPlus className="size-6 shrink-0" />}
            onClick={() => askToInvite(event.id)}
          >
            {t('invite.act')}
          </Button>
          <div className="flex flex-wrap gap-2">
            <button type="button" onClick={() => askToInvite(event.id, true)} className={step}>
              <Printer className="size-4.5 shrink-0" />
              {t('evening.print')}
            </button>
            <Link to="/events/:eventId/guests" params={params} className={step}>
              <Crown className="size-4.5 shrink-0" />
              {t('evening.organizer')}
            </Link>
          </div>
        </>
      )}
    </section>
  )
}

const step = buttonClass('quiet', 'small', 'flex-1 text-ink')
