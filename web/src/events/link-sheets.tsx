import { createPortal } from 'react-dom'
import { useWords } from '../app/words.ts'
import { whenOf } from './event-words.ts'
import type { EventLink } from './links-queries.ts'
import type { Event } from './queries.ts'

/** Links as they hang at the door, each on a sheet of its own: on paper they stand for the whole page. */
export const LinkSheets = ({ links, event }: { links: readonly EventLink[]; event: Event }) => {
  const { t } = useWords()
  return createPortal(
    links.map(link => (
      <section
        key={link.id}
        className="print-alone hidden h-[94vh] break-inside-avoid content-center-safe justify-items-center gap-[min(2rem,3vh)] text-center print:grid"
      >
        <h2
          className="font-display text-[min(3rem,6vh,7vw)] leading-tight font-semibold text-balance wrap-anywhere"
          dir="auto"
        >
          {event.event_name}
        </h2>
        <p className="text-[min(1.125rem,3vh)] text-balance">
          {whenOf(event)}
          {event.event_location && (
            <span className="block" dir="auto">
              {event.event_location}
            </span>
          )}
        </p>
        <img src={link.link_qr_svg_url} alt="" className="size-[min(11cm,45vh,70vw)]" />
        <p className="text-[min(1.5rem,4vh)] font-semibold text-balance">{t('wall.join')}</p>
        <p className="text-[min(1.125rem,3vh)] wrap-anywhere" dir="ltr">
          {link.link_url}
        </p>
      </section>
    )),
    document.body,
  )
}
