import { isDrawn, themeBackground, themeOf } from './event-themes.ts'
import type { Event } from './queries.ts'

/** The service generated it from the name, because nobody has chosen one. */
export const isGenerated = ({ event_avatar_url }: Pick<Event, 'event_avatar_url'>) => isDrawn(event_avatar_url)

/** The picture of an event, filling its place; its theme if it has none. */
export const EventPicture = ({
  event,
  small = false,
  first = false,
  paper = false,
  onCover,
}: {
  event: Pick<Event, 'id' | 'event_avatar_url'>
  small?: boolean
  /** It is seen first when the page opens. */
  first?: boolean
  /** To be printed, as sharp as it is. */
  paper?: boolean
  /** Told once it is there. */
  onCover?(picture: HTMLImageElement): void
}) =>
  isGenerated(event) ? (
    <span
      aria-hidden="true"
      className="block size-full bg-cover"
      style={{ backgroundImage: themeBackground(themeOf(event)) }}
    />
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
