import { useQuery } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import { useDeferredValue, useEffect } from 'react'
import { troubleOf } from '../app/cache/query.ts'
import { navigate, useParams } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Announcements } from '../events/announcements/announcements.tsx'
import { useCoverColours } from '../events/cover-colours.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { EventLines, HostWords } from '../events/event-head.tsx'
import { EventMenu } from '../events/event-menu.tsx'
import { cancelled, isAhead, isIn, onlyAdds } from '../events/event-words.ts'
import { OwnershipOffer } from '../events/guests/ownership-offer.tsx'
import { RequestsHint } from '../events/guests/requests-hint.tsx'
import { askToInvite } from '../events/invite/inviting.ts'
import { Joining } from '../events/join-section.tsx'
import { LastTime } from '../events/last-time.tsx'
import { ShareEvent } from '../events/links/share-event.tsx'
import { usePhase } from '../events/phase.ts'
import { type Event, eventQuery } from '../events/queries.ts'
import { RevealLine } from '../events/reveal-line.tsx'
import { ownPhotos } from '../gallery/own-photos.ts'
import { WaitingHint } from '../gallery/waiting/waiting-hint.tsx'
import { AnswerSection } from '../plans/answer-section.tsx'
import { NowAndNext } from '../plans/now-and-next.tsx'
import { ProgrammeSection } from '../plans/programme-section.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { After } from './after.tsx'
import { Before } from './before.tsx'
import { During } from './during.tsx'
import { EventCalendar } from './event-calendar.tsx'
import { Guests, Openness } from './event-facts.tsx'
import { type Cover, EventPlaceholder, Hero } from './event-hero.tsx'
import { LatestPhotos } from './latest-photos.tsx'
import { Ways } from './ways.tsx'
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
  const { style, onCover } = useCoverColours(event?.event_avatar_url)
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
          {event ? <Details event={event} onCover={onCover} /> : <EventPlaceholder />}
        </>
      )}
    </article>
  )
}

/** Over the picture: back, and the event's actions. */
const Bar = ({ event }: { event: Event | undefined }) => (
  <header className="safe-top pointer-events-none sticky top-(--bar) z-20 mx-auto -mb-15 flex h-15 max-w-3xl items-center justify-between px-3 sm:-mb-22 sm:h-22 sm:px-7 [&>*]:pointer-events-auto">
    <BackLink to={{ to: '/events' }} className={`${floating} lg:invisible`} />
    {event && isIn(event) && <EventMenu event={event} className={floating} />}
  </header>
)
const floating = 'bg-card/85 text-ink shadow-card backdrop-blur-sm'

/** Its head with the facts, what the hour asks for, and what else there is. */
const Details = ({ event, onCover }: Cover) => {
  const { t } = useWords()
  const inside = isIn(event)
  const phase = usePhase(event)
  const { may, again_of, offered_to } = event.extra
  const called = cancelled(event)
  const answer = inside && !called && isAhead(event) && <AnswerSection event={event} />
  return (
    <div className="mx-auto grid grid-cols-1 max-w-3xl gap-5 px-4 py-4 lg:py-6">
      <Hero event={event} onCover={onCover} />
      <EventLines event={event}>
        <Openness event={event} />
        {!called && isAhead(event) && (
          <div className="pt-1">
            <EventCalendar event={event} />
          </div>
        )}
      </EventLines>
      {called && <p className="rounded-2xl bg-bad-soft px-4 py-3 font-semibold text-bad">{t('event.cancelledMore')}</p>}
      {inside && <Welcome event={event} />}
      {offered_to !== null && !may.own && <OwnershipOffer event={event} />}
      {may.manage && <RequestsHint event={event} />}
      <WaitingHint event={event} />
      {!may.manage && answer}
      {phase === 'before' && <Before event={event} />}
      {phase === 'during' && <During event={event} />}
      {phase === 'after' && may.album && <After event={event} />}
      {event.event_description && <HostWords text={event.event_description} />}
      {inside && <Announcements eventId={event.id} />}
      {inside && <NowAndNext event={event} className="rounded-2xl bg-glow px-4 py-3 text-on-glow" />}
      {inside && <Ways event={event} adds={phase === undefined ? 'main' : phase === 'after' ? 'quiet' : undefined} />}
      {inside && <RevealLine event={event} />}
      {!inside && <Joining event={event} />}
      {may.manage && answer}
      <ProgrammeSection event={event} />
      {may.album && (phase === undefined || phase === 'before') && <LatestPhotos eventId={event.id} />}
      {inside && again_of !== null && <LastTime eventId={again_of} />}
      {phase !== 'before' && <Guests event={event} />}
      {may.manage && !called && phase !== 'before' && (
        <Button look="quiet" icon={<UserRoundPlus className="size-5 shrink-0" />} onClick={() => askToInvite(event.id)}>
          {t('invite.act')}
        </Button>
      )}
      {!called && <ShareEvent event={event} />}
    </div>
  )
}
