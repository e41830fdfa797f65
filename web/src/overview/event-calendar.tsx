import { api } from '../app/net/client.ts'
import { address } from '../app/public-path.ts'
import type { Event } from '../events/queries.ts'
import { AddToCalendar } from '../plans/add-to-calendar.tsx'

/** Adds an event to a calendar that leads back to its page. */
export const EventCalendar = ({ event }: { event: Event }) => (
  <AddToCalendar
    event={{ ...event, url: `${address}/events/${event.id}` }}
    file={async () => (await api.plans.linkCalendar({ event_id: event.id })).event_calendar_url}
  />
)
