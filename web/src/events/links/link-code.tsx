import { useWords } from '../../app/words.ts'
import type { EventLink } from './links-queries.ts'
import { phonesReach, Unreachable } from './unreachable.tsx'

/** An address on two lines, so that its code is never broken. */
const addressOf = (url: string) => {
  const at = url.lastIndexOf('/') + 1
  return [url.slice(0, at).replace(/^https?:\/\//, ''), url.slice(at)] as const
}

/** One that somebody types. */
const shortMax = 14

/** The code to scan, and the same to read out or type. */
export const LinkCode = ({ link, eventName }: { link: EventLink; eventName: string }) => {
  const { t } = useWords()
  const { link_url: url, link_qr_svg_url, extra } = link
  const reachable = phonesReach(url)
  const [before, code] = addressOf((reachable && extra?.short_url) || url)
  return (
    <figure className="grid grid-cols-1 justify-items-center gap-3 text-center">
      {reachable ? (
        <img
          src={link_qr_svg_url}
          alt={t('links.qr', { name: eventName })}
          className="size-56 rounded-2xl bg-white p-2"
        />
      ) : (
        <Unreachable url={url} />
      )}
      <figcaption className="grid max-w-full grid-cols-1" dir="ltr">
        <span className="text-sm text-soft wrap-anywhere">{before}</span>
        <span
          className={`font-semibold ${code.length > shortMax ? 'text-sm wrap-anywhere' : 'text-xl tracking-wide whitespace-nowrap'}`}
        >
          {code}
        </span>
      </figcaption>
    </figure>
  )
}
