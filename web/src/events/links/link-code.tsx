import { useWords } from '../../app/words.ts'
import type { EventLink } from './links-queries.ts'
import { phonesReach, Unreachable } from './unreachable.tsx'

/** The code to scan, and the same to read out or type. */
export const LinkCode = ({ link, eventName }: { link: EventLink; eventName: string }) => {
  const { t } = useWords()
  const { link_url: url, link_qr_svg_url, extra } = link
  const reachable = phonesReach(url)
  const beforeCode = url.slice(0, url.lastIndexOf('/') + 1)
  return (
    <figure className="grid grid-cols-1 justify-items-center gap-3 text-center">
      <figcaption className="max-w-full font-display text-xl font-semibold" dir="auto">
        {eventName}
      </figcaption>
      {reachable ? (
        <img
          src={link_qr_svg_url}
          alt={t('links.qr', { name: eventName })}
          className="size-56 rounded-2xl bg-white p-2"
        />
      ) : (
        <Unreachable url={url} />
      )}
      <p className="max-w-full text-sm text-soft wrap-anywhere" dir="ltr">
        {beforeCode}
        {/* Where it does not fit into one line the code has one of its own. */}
        <wbr />
        {url.slice(beforeCode.length)}
      </p>
      {reachable && extra.short_url && (
        <p className="max-w-full text-lg font-semibold tracking-wide wrap-anywhere" dir="ltr">
          {extra.short_url.replace(/^https?:\/\//, '')}
        </p>
      )}
    </figure>
  )
}
