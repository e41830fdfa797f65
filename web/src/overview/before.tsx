import { Crown, Printer } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { askToInvite } from '../events/invite/inviting.ts'
import type { Event } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'

/** Until it begins: what hosts may still do. */
export const Before = ({ event }: { event: Event }) => {
  const { t } = useWords()
  return (
    <section aria-label={t('evening.before')} className="flex flex-wrap gap-2">
      <button type="button" onClick={() => askToInvite(event.id, true)} className={step}>
        <Printer className="size-4.5 shrink-0" />
        {t('evening.print')}
      </button>
      <Link to="/events/:eventId/guests" params={{ eventId: event.id }} className={step}>
        <Crown className="size-4.5 shrink-0" />
        {t('evening.organizer')}
      </Link>
    </section>
  )
}

const step = buttonClass('quiet', 'normal', 'flex-1')
