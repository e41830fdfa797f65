import { CalendarDays } from 'lucide-react'
import { type Timed, whenOf } from './event-words.ts'

/** The line below an event's name that says when it takes place. */
export const EventWhen = ({ event }: { event: Timed }) => (
  <p className="text-balance text-soft">
    <CalendarDays className="me-1.5 mb-1 inline size-4.5" aria-hidden="true" />
    {whenOf(event)}
  </p>
)
