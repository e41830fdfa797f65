export type Planned = {
  event_name: string
  event_starts_at: string
  event_ends_at: string | null
  event_timezone: string
  event_description?: string | null
  event_location?: string | null
  /** Where the event is found again. */
  url: string
}

/** Google's own page, filled in: it takes no file. */
export const googleCalendar = (event: Planned): string => {
  const moment = (text: string) => text.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  const address = new URL('https://calendar.google.com/calendar/render?action=TEMPLATE')
  const fields = {
    text: event.event_name,
    dates: `${moment(event.event_starts_at)}/${moment(event.event_ends_at ?? event.event_starts_at)}`,
    ctz: event.event_timezone,
    details: [event.event_description, event.url].filter(Boolean).join('\n\n'),
    location: event.event_location ?? '',
  }
  for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value)
  return address.href
}
