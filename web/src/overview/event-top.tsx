import { Images, UserRoundPlus } from 'lucide-react'
import { until } from '../app/date-format.ts'
import { Link, navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventCover, EventLines } from '../events/event-head.tsx'
import { cancelled, isAhead, isIn } from '../events/event-words.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import { askToInvite } from '../events/invite/inviting.ts'
import type { Phase } from '../events/phase.ts'
import type { Event } from '../events/queries.ts'
import { AnswerCounts } from '../plans/answer-counts.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPhotos } from '../uploads/add-photos.tsx'
import { Collage } from './collage.tsx'
import { EveningInNumbers } from './evening-in-numbers.tsx'
import { EventCalendar } from './event-calendar.tsx'
import { Openness } from './openness.tsx'

type Props = { event: Event; phase: Phase | undefined; onCover(picture: HTMLImageElement): void }

/** The card of an event: its cover with the name, when and where, who comes, and the one thing to do. */
export const EventTop = ({ event, phase, onCover }: Props) => {
  const ahead = !cancelled(event) && isAhead(event)
  return (
    <>
      <EventCover event={event} onCover={onCover} className={`shadow-card ${coverShape}`}>
        {phase && phase !== 'before' && event.extra.may.album && <Collage event={event} phase={phase} />}
      </EventCover>
      <EventLines event={event}>
        <Openness event={event} />
        {phase === 'before' && <p className="text-sm text-soft">{until(event.event_starts_at)}</p>}
        {ahead && (
          <div className="pt-1">
            <EventCalendar event={event} />
          </div>
        )}
      </EventLines>
      {isIn(event) && (phase === 'after' ? <EveningInNumbers event={event} /> : <WhoComes event={event} />)}
      <Main event={event} phase={phase} />
    </>
  )
}

/** From edge to edge on a phone; taller if large text would not let the name fit. */
const coverShape =
  'min-h-[max(12rem,66vw)] max-sm:-mx-4 max-sm:-mt-4 max-sm:rounded-b-2xl sm:aspect-[3/2] sm:max-h-[max(40svh,14rem)] sm:min-h-0 sm:w-full sm:rounded-2xl'

const WhoComes = ({ event }: { event: Event }) => (
  <Link to="/events/:eventId/guests" params={{ eventId: event.id }} className="grid gap-1 rounded-xl hover:bg-hover">
    <AnswerCounts eventId={event.id} />
    <GuestFaces eventId={event.id} />
  </Link>
)

/** What the hour asks for. */
const Main = ({ event, phase }: Pick<Props, 'event' | 'phase'>) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  const { may } = event.extra
  if (phase === 'before' && may.manage)
    return (
      <Button size="large" icon={<UserRoundPlus className="size-6 shrink-0" />} onClick={() => askToInvite(event.id)}>
        {t('invite.act')}
      </Button>
    )
  if (phase === 'after' && may.album)
    return (
      <Link to="/events/:eventId/photos" params={params} className={buttonClass('main', 'large')}>
        <Images className="size-6 shrink-0" />
        {t('evening.album')}
      </Link>
    )
  if (phase === 'before' || !may.upload) return null
  return <AddPhotos eventId={event.id} onAdded={() => void navigate({ to: '/events/:eventId/photos', params })} />
}

/** The page until the event is there. */
export const EventPlaceholder = () => (
  <>
    <Skeleton className={coverShape} />
    <Skeleton className="h-36 rounded-2xl" />
    <Skeleton className="h-13 rounded-full" />
  </>
)
