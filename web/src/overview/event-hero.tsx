import { EventCover } from '../events/event-head.tsx'
import type { Event } from '../events/queries.ts'
import { Skeleton } from '../ui/skeleton.tsx'

export type Cover = { event: Event; onCover(picture: HTMLImageElement): void }

export const Hero = ({ event, onCover }: Cover) => (
  <EventCover event={event} onCover={onCover} className={`shadow-card ${heroShape}`} />
)

/** From edge to edge on a phone; taller if large text would not let the name fit. */
const heroShape =
  'grid min-h-[max(12rem,66vw)] max-sm:-mx-4 max-sm:-mt-4 max-sm:rounded-b-3xl sm:aspect-[2/1] sm:max-h-[max(55svh,14rem)] sm:w-full sm:min-h-0 sm:rounded-3xl'

/** The page until the event is there. */
export const EventPlaceholder = () => (
  <div className="mx-auto grid grid-cols-1 max-w-3xl gap-5 px-4 py-4 lg:py-6">
    <Skeleton className={heroShape} />
    <Skeleton className="h-36 rounded-2xl" />
    <div className="grid grid-cols-2 gap-3">
      <Skeleton className="h-13 rounded-full" />
      <Skeleton className="h-13 rounded-full" />
    </div>
  </div>
)
