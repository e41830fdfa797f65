import { CalendarHeart } from 'lucide-react'
import type { Event } from './queries.ts'

const skies = [
  'from-[#4a1f63] via-[#b4475a] to-[#f2a65a]',
  'from-[#1f2a5c] via-[#6c4a8f] to-[#ee8d6b]',
  'from-[#123c4a] via-[#4b7f7a] to-[#f3c27a]',
  'from-[#5a1e3a] via-[#c4524a] to-[#f6b26b]',
  'from-[#2b1d4e] via-[#7a3b73] to-[#e8775a]',
]

/** What is drawn before the sky: nothing, lanterns, or ripples on the water. */
const scenes = [
  '',
  'bg-[radial-gradient(circle_at_18%_42%,#ffe2b0_0_4%,transparent_14%),radial-gradient(circle_at_47%_26%,#ffd08a_0_3%,transparent_11%),radial-gradient(circle_at_80%_48%,#ffe2b0_0_5%,transparent_16%)]',
  'bg-[repeating-radial-gradient(circle_at_50%_135%,rgb(255_255_255/0.16)_0_4%,transparent_4%_9%)]',
]

/** The service generated it from the name, because nobody has chosen one. */
export const isGenerated = ({ event_avatar_url }: Pick<Event, 'event_avatar_url'>) =>
  event_avatar_url.includes('/initials/')

/** The picture of an event, filling its place; an evening sky if it has none, in one of three styles. */
export const EventPicture = ({
  event,
  small = false,
  first = false,
  paper = false,
  onCover,
}: {
  event: Pick<Event, 'id' | 'event_avatar_url'>
  small?: boolean
  /** Whoever opens the page sees it first. */
  first?: boolean
  /** To be printed, as sharp as it is. */
  paper?: boolean
  /** Told once it is there. */
  onCover?(picture: HTMLImageElement): void
}) =>
  isGenerated(event) ? (
    <span
      aria-hidden="true"
      className={`relative grid size-full place-items-center bg-linear-to-b ${skies[event.id % skies.length]}`}
    >
      <span className={`absolute inset-0 ${scenes[event.id % scenes.length]}`} />
      {!small && !paper && event.id % scenes.length === 0 && (
        <CalendarHeart className="size-14 text-white/60" strokeWidth={1.2} />
      )}
    </span>
  ) : (
    <img
      // On most phones 1280 px would be three times the bytes for nothing.
      src={
        paper
          ? event.event_avatar_url
          : `${event.event_avatar_url}&w=${small ? 400 : innerWidth * devicePixelRatio < 900 ? 640 : 1280}`
      }
      alt=""
      loading={first || paper ? 'eager' : 'lazy'}
      onLoad={({ currentTarget }) => onCover?.(currentTarget)}
      className="size-full object-cover"
    />
  )
