import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { Link, Outlet, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventPicture } from '../events/event-picture.tsx'
import { EventWhen } from '../events/event-when.tsx'
import { eventQuery } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** An album that is looked at by a link: above it what it is of, and the chat if the link shows it. */
export const LookPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId')
  const { data: event } = useQuery(eventQuery(eventId))
  return (
    <>
      <header className="mx-auto grid max-w-3xl grid-cols-1 gap-4 pb-2 text-center sm:px-4 sm:pt-4">
        <div className="aspect-[16/10] overflow-hidden bg-sunken shadow-card max-sm:rounded-b-3xl sm:aspect-[5/2] sm:rounded-3xl">
          {event && <EventPicture event={event} first />}
        </div>
        {event ? (
          <div className="grid grid-cols-1 gap-1.5 px-4">
            <h1 className="font-display text-2xl font-semibold text-balance wrap-anywhere sm:text-3xl" dir="auto">
              {event.event_name}
            </h1>
            <EventWhen event={event} />
            {event.event_location && (
              <p className="text-balance text-soft" dir="auto">
                {event.event_location}
              </p>
            )}
            {event.extra.may.read_chat && (
              <Link
                to="/events/:eventId/chat"
                params={{ eventId }}
                className={buttonClass('soft', 'normal', 'mt-1.5 justify-self-center')}
              >
                <MessageCircle className="size-5.5 shrink-0" aria-hidden="true" />
                {t('event.chat')}
              </Link>
            )}
          </div>
        ) : (
          <Skeleton className="mx-auto h-16 w-3/5" />
        )}
      </header>
      <Outlet />
    </>
  )
}
