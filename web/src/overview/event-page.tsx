import { useQuery } from '@tanstack/react-query'
import {
  CalendarDays,
  ChevronRight,
  Globe,
  Images,
  Link2,
  Lock,
  MapPin,
  MessageCircle,
  QrCode,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { OwnCodeDialog } from '../accounts/own-code-dialog.tsx'
import { SelfieLine } from '../accounts/selfie-line.tsx'
import { troubleOf } from '../app/cache/query.ts'
import { Link, navigate, useLocation, useParams } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Announcements } from '../events/announcements/announcements.tsx'
import { useCoverColours } from '../events/cover-colours.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { EventMenu } from '../events/event-menu.tsx'
import { EventPicture } from '../events/event-picture.tsx'
import { cancelled, isAhead, isIn, onlyAdds, whenOf, zoneHint } from '../events/event-words.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import { OwnershipOffer } from '../events/guests/ownership-offer.tsx'
import { RequestsHint } from '../events/guests/requests-hint.tsx'
import { Joining } from '../events/join-section.tsx'
import { LastTime } from '../events/last-time.tsx'
import { ShareEvent } from '../events/links/share-event.tsx'
import { mapOf } from '../events/map.ts'
import { type Event, eventQuery } from '../events/queries.ts'
import { RevealLine } from '../events/reveal-line.tsx'
import { ownPhotos } from '../gallery/own-photos.ts'
import { WaitingHint } from '../gallery/waiting-hint.tsx'
import { AnswerSection } from '../plans/answer-section.tsx'
import { NowAndNext } from '../plans/now-and-next.tsx'
import { ProgrammeSection } from '../plans/programme-section.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPhotos } from '../uploads/add-photos.tsx'
import { After } from './after.tsx'
import { Before } from './before.tsx'
import { During } from './during.tsx'
import { EventCalendar } from './event-calendar.tsx'
import { LatestPhotos } from './latest-photos.tsx'
import { usePhase } from './phase.ts'

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
    <article style={style}>
      <title>{`${event?.event_name ?? t('event.title')} · Afterglow`}</title>
      {error && !event ? (
        <>
          <PageHeader title="" back={{ to: '/events' }} />
          <EventFailed heading="h1" error={error} retry={() => void refetch()} />
        </>
      ) : (
        <>
          <Bar event={event} />
          {event ? <Details event={event} onCover={onCover} /> : <Placeholder />}
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

type Cover = { event: Event; onCover(picture: HTMLImageElement): void }

const Details = ({ event, onCover }: Cover) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  const inside = isIn(event)
  const phase = usePhase(event)
  return (
    <div className="mx-auto grid grid-cols-1 max-w-3xl gap-5 px-4 py-4 lg:py-6">
      <Hero event={event} onCover={onCover} />
      {inside && <Welcome event={event} />}
      {event.extra.offered_to !== null && !event.extra.may.own && <OwnershipOffer event={event} />}
      {event.extra.may.manage && <RequestsHint event={event} />}
      {event.extra.may.approve && <WaitingHint eventId={event.id} />}
      {phase === 'before' && <Before event={event} />}
      {phase === 'during' && <During event={event} />}
      {phase === 'after' && event.extra.may.album && <After event={event} />}
      {inside && <NowAndNext event={event} className="rounded-2xl bg-glow px-4 py-3 text-on-glow" />}
      {inside && <Ways event={event} adds={phase !== 'during'} />}
      {inside && <RevealLine event={event} />}
      {inside && <Announcements eventId={event.id} />}
      {cancelled(event) && (
        <p className="rounded-2xl bg-bad-soft px-4 py-3 font-semibold text-bad">{t('event.cancelledMore')}</p>
      )}
      <WhenAndWhere event={event} calendar={phase !== 'before' || event.extra.may.manage} />
      <ProgrammeSection event={event} />
      {inside && !cancelled(event) && isAhead(event) && <AnswerSection event={event} />}
      {!inside && <Joining event={event} />}
      {event.extra.may.album && phase !== 'during' && phase !== 'after' && <LatestPhotos eventId={event.id} />}
      {inside && event.extra.again_of !== null && <LastTime eventId={event.extra.again_of} />}
      {phase !== 'before' && <Guests event={event} />}
      {event.extra.may.manage && !cancelled(event) && phase !== 'before' && (
        <Link to="/events/:eventId/links" params={params} className={buttonClass('quiet')}>
          <QrCode className="size-5 shrink-0" aria-hidden="true" />
          {t('links.open')}
        </Link>
      )}
      {!cancelled(event) && <ShareEvent event={event} />}
      {event.event_description && (
        <section className="grid gap-2">
          <h2 className="text-sm font-semibold text-soft">{t('event.about')}</h2>
          <p className="whitespace-pre-wrap text-pretty wrap-anywhere" dir="auto">
            {event.event_description}
          </p>
        </section>
      )}
      <Openness event={event} />
    </div>
  )
}

/** What guests come for. In the flow: whatever floats over this page lies over something of it on some screen. */
const Ways = ({ event, adds }: { event: Event; adds: boolean }) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Link to="/events/:eventId/chat" params={params} className={buttonClass('soft', 'large')}>
          <MessageCircle className="size-5.5 shrink-0" aria-hidden="true" />
          {t('event.chat')}
        </Link>
        <Link to="/events/:eventId/photos" params={params} className={buttonClass('soft', 'large')}>
          <Images className="size-5.5 shrink-0" aria-hidden="true" />
          {t('event.photos')}
        </Link>
      </div>
      {adds && event.extra.may.upload && (
        <AddPhotos eventId={event.id} onAdded={() => void navigate({ to: '/events/:eventId/photos', params })} />
      )}
    </div>
  )
}

/** For people who have just joined by a link. */
const Welcome = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const name = useLocation().told.welcome
  const [keeping, setKeeping] = useState(false)
  if (!name) return null
  return (
    <section className="grid gap-3 rounded-3xl bg-glow p-5 text-on-glow">
      <h2 className="font-display text-xl font-semibold text-balance wrap-anywhere">{t('welcome.title', { name })}</h2>
      <p className="text-pretty">{t('welcome.more')}</p>
      <SelfieLine />
      <Link
        to="/events/:eventId/photos"
        params={{ eventId: event.id }}
        className={buttonClass('quiet', 'normal', 'justify-self-start text-ink')}
      >
        {t('welcome.album')}
      </Link>
      {session.get()?.guest && (
        <Button look="bare" size="small" className="justify-self-start" onClick={() => setKeeping(true)}>
          {t('ownCode.offer')}
        </Button>
      )}
      {keeping && <OwnCodeDialog onClose={() => setKeeping(false)} />}
    </section>
  )
}

const Hero = ({ event, onCover }: Cover) => (
  <div className={`relative overflow-hidden bg-sunken shadow-card ${heroShape}`}>
    <EventPicture event={event} first onCover={onCover} />
    <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/75 to-transparent p-5 pt-16 text-white">
      <h1 className="font-display text-2xl font-semibold text-balance wrap-anywhere sm:text-3xl" dir="auto">
        {event.event_name}
      </h1>
    </div>
  </div>
)

/** From edge to edge on a phone; taller if large text would not let the name fit. */
const heroShape =
  'grid min-h-[max(12rem,66vw)] max-sm:-mx-4 max-sm:-mt-4 max-sm:rounded-b-3xl sm:aspect-[2/1] sm:min-h-0 sm:rounded-3xl'

const WhenAndWhere = ({ event, calendar }: { event: Event; calendar: boolean }) => {
  const { t } = useWords()
  const zone = zoneHint(event)
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
      {calendar && !cancelled(event) && (
        <div className="px-4 py-2.5">
          <EventCalendar event={event} />
        </div>
      )}
    </div>
  )
}
const card = 'divide-y divide-line overflow-hidden rounded-2xl border border-line bg-card shadow-card'

const Guests = ({ event }: { event: Event }) => {
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

const Openness = ({ event }: { event: Event }) => {
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

const Placeholder = () => (
  <div className="mx-auto grid grid-cols-1 max-w-3xl gap-5 px-4 py-4 lg:py-6">
    <Skeleton className={heroShape} />
    <Skeleton className="h-36 rounded-2xl" />
    <div className="grid grid-cols-2 gap-3">
      <Skeleton className="h-13 rounded-full" />
      <Skeleton className="h-13 rounded-full" />
    </div>
  </div>
)
