import { openEndHours } from '@afterglow/contract/limits'

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

/** Longer addresses are refused by Google and cut by some phones. */
const lengthMax = 2000

/** Google's own page, filled in: it takes no file. What makes it too long is cut: the description first. */
export const googleCalendar = (event: Planned): string => {
  const moment = (at: string | number) => new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  const end = event.event_ends_at ?? Date.parse(event.event_starts_at) + openEndHours * 60 * 60_000
  const words = [event.event_description ?? '', event.event_location ?? '', event.event_name].map(text => [...text])
  const address = () => {
    const [description = '', location = '', text = ''] = words.map(characters => characters.join(''))
    const link = new URL('https://calendar.google.com/calendar/render?action=TEMPLATE')
    const fields = {
      text,
      dates: `${moment(event.event_starts_at)}/${moment(end)}`,
      ctz: event.event_timezone,
      details: [description, event.url].filter(Boolean).join('\n\n'),
      location,
    }
    for (const [name, value] of Object.entries(fields)) link.searchParams.set(name, value)
    return link.href
  }
  for (const characters of words)
    while (address().length > lengthMax && characters.length > 0)
      characters.splice(
        Math.floor(characters.length * 0.9),
        characters.length,
        ...(characters.length > 10 ? ['…'] : []),
      )
  return address()
}
