import { useState } from 'react'
import { OwnCodeDialog } from '../accounts/own-code-dialog.tsx'
import { SelfieLine } from '../accounts/selfie-line.tsx'
import { useNow } from '../app/now.ts'
import { Link, useLocation } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { EventLines } from '../events/event-head.tsx'
import { phaseAt } from '../events/phase.ts'
import type { Event } from '../events/queries.ts'
import { Button, buttonClass } from '../ui/button.tsx'

/** For people who have just joined by a link. */
export const Welcome = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const name = useLocation().told.welcome
  const phase = phaseAt(event, useNow())
  const [keeping, setKeeping] = useState(false)
  if (!name) return null
  return (
    <section className="grid gap-3 rounded-2xl bg-glow p-4 text-on-glow">
      <h2 className="font-display text-xl font-semibold text-balance wrap-anywhere">{t('welcome.title', { name })}</h2>
      {phase === 'before' ? (
        <EventLines event={event} />
      ) : (
        <>
          <p className="text-pretty">{t('welcome.more')}</p>
          <Link
            to="/events/:eventId/photos"
            params={{ eventId: event.id }}
            className={buttonClass('quiet', 'normal', 'justify-self-start text-ink')}
          >
            {t('welcome.album')}
          </Link>
        </>
      )}
      <SelfieLine>
        {session.get()?.guest && (
          <Button look="bare" size="small" className="justify-self-start" onClick={() => setKeeping(true)}>
            {t('ownCode.offer')}
          </Button>
        )}
      </SelfieLine>
      {keeping && <OwnCodeDialog onClose={() => setKeeping(false)} />}
    </section>
  )
}
