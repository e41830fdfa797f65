import { CalendarHeart } from 'lucide-react'
import type { Event } from './queries.ts'

const skies = [
  'from-[#4a1f63] via-[#b4475a] to-[#f2a65a]',
  'from-[#1f2a5c] via-[#6c4a8f] to-[#ee8d6b]',
  'from-[#123c4a] via-[#4b7f7a] to-[#f3c27a]',
  'from-[#5a1e3a] via-[#c4524a] to-[#f6b26b]',
  'from-[#2b1d4e] via-[#7a3b73] to-[#e8775a]',
]

/** The service generated it from the name, because nobody has chosen one. */
export const isGenerated = ({ event_avatar_url }: Pick<Event, 'event_avatar_url'>) =>
  event_avatar_url.includes('/initials/')

/** The picture of an event, filling its place; an evening sky if it has none. */
export const EventPicture = ({
  event,
  small = false,
  first = false,
}: {
  event: Pick<Event, 'id' | 'event_avatar_url'>
  small?: boolean
  /** Whoever opens the page sees it first. */
  first?: boolean
}) =>
  isGenerated(event) ? (
    <span
      aria-hidden="true"
      className={`grid size-full place-items-center bg-linear-to-b ${skies[event.id % skies.length]}`}
    >
      {!small && <CalendarHeart className="size-14 text-white/60" strokeWidth={1.2} />}
    </span>
  ) : (
    <img
      // On most phones 1280 px would be three times the bytes for nothing.
      src={`${event.event_avatar_url}&w=${small ? 400 : innerWidth * devicePixelRatio < 900 ? 640 : 1280}`}
      alt=""
      loading={first ? 'eager' : 'lazy'}
      className="size-full object-cover"
    />
  )
