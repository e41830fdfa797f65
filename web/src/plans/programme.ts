import type { Event } from '../events/queries.ts'

type Entry = Event['extra']['event_programme'][number]

const hourMs = 60 * 60_000
/** What is further away is no “next” of an evening. */
const nextWithinMs = 24 * hourMs
/** Of the last entry, if nobody said when it ends. */
const lastsMs = 2 * hourMs

/** An event that this browser kept from before events had a programme has none. */
export const programmeIn = ({ extra }: Event): readonly Entry[] => extra.event_programme ?? []

/** What happens at a moment, and what comes after it. An entry without an end lasts until the next, or the event’s end. */
export const nowAndNextIn = (event: Event, at: number) => {
  const programme = programmeIn(event).map(entry => ({ entry, from: Date.parse(entry.programme_starts_at) }))
  const until = ({ entry, from }: (typeof programme)[number]) => {
    if (entry.programme_ends_at) return Date.parse(entry.programme_ends_at)
    const after = programme.find(each => each.from > from)
    if (after) return after.from
    const end = Date.parse(event.event_ends_at ?? '')
    return end > from ? end : from + lastsMs
  }
  return {
    now: programme.filter(each => each.from <= at && at < until(each)).map(({ entry }) => entry),
    next: programme.find(({ from }) => from > at && from - at <= nextWithinMs)?.entry,
  }
}
