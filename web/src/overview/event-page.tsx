import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useDeferredValue, useEffect } from 'react'
import { troubleOf } from '../app/cache/query.ts'
import { whenIdle } from '../app/idle.ts'
import { lazy } from '../app/router/lazy.tsx'
import { Link, navigate, useParams } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Announcements } from '../events/announcements/announcements.tsx'
import { useCoverColours } from '../events/cover-colours.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { HostWords } from '../events/event-head.tsx'
import { EventMenu } from '../events/event-menu.tsx'
import { cancelled, isAhead, isIn, onlyAdds } from '../events/event-words.ts'
import { OwnershipOffer } from '../events/guests/ownership-offer.tsx'
import { Joining } from '../events/join-section.tsx'
import { LastTime } from '../events/last-time.tsx'
import { ShareEvent } from '../events/links/share-event.tsx'
import { usePhase } from '../events/phase.ts'
import { type Event, eventQuery } from '../events/queries.ts'
import { RevealLine } from '../events/reveal-line.tsx'
import { ownPhotos } from '../gallery/own-photos.ts'
import { WaitingHint } from '../gallery/waiting/waiting-hint.tsx'
import { useUnreadNotifications } from '../notifications/queries.ts'
import { AnswerSection } from '../plans/answer-section.tsx'
import { NowAndNext } from '../plans/now-and-next.tsx'
import { ProgrammeSection } from '../plans/programme-section.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { iconButtonClass } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useWide } from '../ui/wide.ts'
import { After } from './after.tsx'
import { Before } from './before.tsx'
import { During } from './during.tsx'
import { EventPlaceholder, EventTop } from './event-top.tsx'
import { LatestPhotos } from './latest-photos.tsx'
import { Welcome } from './welcome.tsx'

export const EventPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId')
  const query = useQuery(eventQuery(eventId))
  const { data, refetch } = query
  // Rendered in small steps, between which the page responds.
  const event = useDeferredValue(data)
  const error = troubleOf(query)
  const adds = data !== undefined && onlyAdds(data)
  useEffect(() => {
    if (adds) void navigate({ href: ownPhotos(eventId, session.get()?.userId ?? 0), replace: true })
  }, [adds, eventId])
  const { style, onCover } = useCoverColours(event?.event_avatar_url, false)
  return (
    <article className="covered" style={style}>
      <title>{`${event?.event_name ?? t('event.title')} · Afterglow`}</title>
      {error && !event ? (
        <>
          <PageHeader title="" back={{ to: '/events' }} />
          <EventFailed heading="h1" error={error} retry={() => void refetch()} />
        </>
      ) : (
        <>
          <Bar event={event} />
          {event ? (
            <Details event={event} onCover={onCover} />
          ) : (
            <div className={columns}>
              <div className={card}>
                <EventPlaceholder />
              </div>
            </div>
          )}
        </>
      )}
    </article>
  )
}

/** Over the picture: back, what is new, and the event's actions. */
const Bar = ({ event }: { event: Event | undefined }) => {
  const { t } = useWords()
  const unread = useUnreadNotifications()
  return (
    <header className="safe-top pointer-events-none sticky top-(--bar) z-20 -mb-15 flex h-15 items-center gap-2 px-3 lg:top-[calc(var(--bar)+2rem)] lg:ms-8 lg:-mb-23 lg:mt-8 lg:w-90 [&>*]:pointer-events-auto">
      <BackLink to={{ to: '/events' }} className={floating} />
      <span className="flex-1" />
      <Link
        to="/notifications"
        aria-label={[t('nav.notifications'), unread > 0 && t('nav.unread', { count: unread })]
          .filter(Boolean)
          .join(', ')}
        className={`relative lg:hidden ${iconButtonClass} ${floating}`}
      >
        <Bell />
        {unread > 0 && (
          <span className="absolute end-2.5 top-2.5 size-2.5 rounded-full bg-current text-ember ring-2 ring-card" />
        )}
      </Link>
      {event && isIn(event) && <EventMenu event={event} className={floating} />}
    </header>
  )
}
const floating = 'bg-card/85 text-ink shadow-card backdrop-blur-sm'

/** On a desktop: the card stays at the start, and the chat at the end. */
const columns =
  'mx-auto grid max-w-3xl grid-cols-1 gap-6 px-4 py-4 lg:max-w-none lg:grid-cols-[22.5rem_minmax(0,1fr)] lg:items-start lg:gap-8 lg:px-8 lg:py-8'
const card = 'grid grid-cols-1 gap-4 lg:sticky lg:top-[calc(var(--bar)+2rem)]'

type DetailsProps = { event: Event; onCover(picture: HTMLImageElement): void }

/** Its card, then what else there is, as the hour asks for it. */
const Details = ({ event, onCover }: DetailsProps) => {
  const { t } = useWords()
  const inside = isIn(event)
  const phase = usePhase(event)
  const beside = useWide('xl') && event.extra.may.read_chat
  const { may, again_of, offered_to } = event.extra
  const called = cancelled(event)
  const answer = inside && !called && isAhead(event) && <AnswerSection event={event} />
  return (
    <div className={`${columns} ${beside ? 'xl:grid-cols-[22.5rem_minmax(0,1fr)_21.25rem] xl:pe-0 xl:py-0' : ''}`}>
      <div className={`${card} ${beside ? 'xl:py-8 xl:top-(--bar)' : ''}`}>
        <EventTop event={event} phase={phase} onCover={onCover} />
      </div>
      <div className={`mx-auto grid w-full max-w-3xl grid-cols-1 gap-6 ${beside ? 'xl:py-8' : ''}`}>
        {called && (
          <p className="rounded-2xl bg-bad-soft px-4 py-3 font-semibold text-bad">{t('event.cancelledMore')}</p>
        )}
        {inside && <Welcome event={event} />}
        {offered_to !== null && !may.own && <OwnershipOffer event={event} />}
        <WaitingHint event={event} />
        {!may.manage && answer}
        {phase === 'before' && may.manage && !called && <Before event={event} />}
        {phase === 'during' && <During event={event} />}
        {phase === 'after' && may.album && <After event={event} />}
        {event.event_description && <HostWords text={event.event_description} />}
        {inside && <Announcements eventId={event.id} />}
        {inside && <NowAndNext event={event} className="rounded-2xl bg-glow px-4 py-3 text-on-glow" />}
        {inside && <RevealLine event={event} />}
        {!inside && <Joining event={event} />}
        {may.manage && answer}
        <ProgrammeSection event={event} />
        {may.album && (phase === undefined || phase === 'before') && <LatestPhotos eventId={event.id} />}
        {inside && again_of !== null && <LastTime eventId={again_of} />}
        {!called && <ShareEvent event={event} />}
      </div>
      {beside && (
        <aside
          aria-label={t('event.chat')}
          className="sticky top-(--bar) h-page border-s border-line bg-card [--bar:0px]"
        >
          <ChatBeside eventId={event.id} />
        </aside>
      )}
    </div>
  )
}

/** Loaded once the page is there. */
const ChatBeside = lazy(
  async () => {
    await whenIdle()
    return (await import('../chats/chat-page.tsx')).ChatBeside
  },
  <Skeleton className="h-full rounded-none" />,
)
