import { useNow } from '../app/now.ts'
import { cancelled, isIn } from './event-words.ts'
import type { Event } from './queries.ts'

export type Phase = 'before' | 'during' | 'after'

const dayMs = 24 * 60 * 60_000

/** An event without an end is over a day after its start. */
export const phaseAt = (event: Pick<Event, 'event_starts_at' | 'event_ends_at'>, now: number): Phase => {
  const starts = new Date(event.event_starts_at).getTime()
  const ends = event.event_ends_at ? new Date(event.event_ends_at).getTime() : starts + dayMs
  return now < starts ? 'before' : now < ends ? 'during' : 'after'
}

/** What the page is about for those in an event; nothing in particular if its organizers switched that off. */
export const usePhase = (event: Event): Phase | undefined => {
  const now = useNow()
  return event.extra.page_lives && isIn(event) && !cancelled(event) ? phaseAt(event, now) : undefined
}
