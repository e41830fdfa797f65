import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { Link, Outlet, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useCoverColours } from '../events/cover-colours.ts'
import { EventCover, EventLines } from '../events/event-head.tsx'
import { eventQuery } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** An album that is looked at by a link: above it what it is of, and the chat if the link shows it. */
export const LookPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId')
  const { data: event } = useQuery(eventQuery(eventId))
  const { onCover } = useCoverColours(event?.event_avatar_url)
  return (
    <>
      <header className="mx-auto grid max-w-3xl grid-cols-1 gap-4 pb-2 sm:px-4 sm:pt-4">
        {event ? (
          <>
            <EventCover
              event={event}
              onCover={onCover}
              className="min-h-[min(66vw,40svh)] shadow-card max-sm:rounded-b-2xl sm:rounded-2xl"
            />
            <div className="grid grid-cols-1 gap-3 px-4">
              <EventLines event={event} />
              {event.extra.may.read_chat && (
                <Link
                  to="/events/:eventId/chat"
                  params={{ eventId }}
                  className={buttonClass('soft', 'normal', 'justify-self-start')}
                >
                  <MessageCircle className="size-5.5 shrink-0" />
                  {t('event.chat')}
                </Link>
              )}
            </div>
          </>
        ) : (
          <Skeleton className="min-h-[min(66vw,40svh)]" />
        )}
      </header>
      <Outlet />
    </>
  )
}
