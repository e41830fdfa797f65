import { createPortal } from 'react-dom'
import { useWords } from '../../app/words.ts'
import { isGenerated } from '../event-picture.tsx'
import { whenOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import type { EventLink } from './links-queries.ts'
import type { Printed } from './print.ts'

/** Printable links, each on a sheet of its own: on paper they replace the page. */
export const LinkSheets = ({ printed: { links, paper }, event }: { printed: Printed; event: Event }) =>
  createPortal(
    links.map(link => (
      <section
        key={link.id}
        className={`print-alone hidden h-[96vh] break-inside-avoid print:grid ${paper === 'cards' ? 'grid-cols-2 grid-rows-2 [&>*]:border [&>*]:border-dashed [&>*]:border-black/40' : ''}`}
      >
        {Array.from({ length: paper === 'cards' ? 4 : 1 }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: four of the same.
          <Sheet key={at} link={link} event={event} />
        ))}
      </section>
    )),
    document.body,
  )

/** Relative to its own size, so that it is the same on every paper. */
const Sheet = ({ link, event }: { link: EventLink; event: Event }) => {
  const { t } = useWords()
  return (
    <article className="@container-size min-h-0 min-w-0">
      <div className="flex h-full flex-col items-center justify-center gap-[2cqh] p-[3cqmin] text-center">
        {!isGenerated(event) && (
          <img src={event.event_avatar_url} alt="" className="h-[17cqh] w-[88cqw] rounded-[2cqmin] object-cover" />
        )}
        <h2
          className="font-display text-[min(6cqh,8cqw)] leading-tight font-semibold text-balance wrap-anywhere"
          dir="auto"
        >
          {event.event_name}
        </h2>
        <p className="max-w-full text-[min(2.6cqh,4cqw)] leading-snug text-balance">
          {whenOf(event)}
          {event.event_location && (
            <span className="block" dir="auto">
              {event.event_location}
            </span>
          )}
        </p>
        {/* What is left of the sheet: with a picture, a PIN and a long name less than without. */}
        <img
          src={link.link_qr_svg_url}
          alt=""
          className="min-h-0 w-[70cqw] flex-[0_1_min(38cqh,70cqw)] object-contain"
        />
        <p className="text-[min(3.4cqh,5cqw)] leading-snug font-semibold text-balance">
          {t(`links.scan.${link.link_kind}`)}
        </p>
        {link.link_pin_required && (
          <p className="text-[min(3.4cqh,5cqw)] leading-snug">
            {t('links.enterPin')}:{' '}
            {link.link_pin ? (
              <b className="text-[1.5em] tracking-widest">{link.link_pin}</b>
            ) : (
              <span className="inline-block w-[6em] border-b border-black" />
            )}
          </p>
        )}
        <p className="text-[min(2.6cqh,3.6cqw)] wrap-anywhere" dir="ltr">
          {link.link_url.replace(/^https?:\/\//, '')}
        </p>
      </div>
    </article>
  )
}
