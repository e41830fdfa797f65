import { useWords } from '../../app/words.ts'
import { whenOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import type { EventLink } from './links-queries.ts'
import type { Look } from './papers.ts'
import { sizeOfAddress, sizeOfPlace, sizeOfTitle } from './type-sizes.ts'

type Layout = { link: EventLink; event: Event; cover: React.ReactNode }

const Above = ({ link, event, cover }: Layout) => (
  <div className="flex size-full flex-col">
    <div className="min-h-0 flex-1">{cover}</div>
    <div className="grid gap-[4cqmin] p-[6.5cqmin]">
      <Title event={event} />
      <div className="flex items-center gap-[5cqmin]">
        <Code link={link} className="-my-[3.4cqmin] -ms-[3.4cqmin] size-[42cqmin] shrink-0" />
        <How link={link} width={46} />
      </div>
    </div>
  </div>
)

const Behind = ({ link, event, cover }: Layout) => (
  <div className="relative flex size-full flex-col justify-end overflow-hidden">
    <div className="absolute inset-0">{cover}</div>
    <div className="relative bg-linear-to-t from-black/85 via-black/70 via-80% to-transparent px-[6.5cqmin] pt-[24cqmin] pb-[6.5cqmin] text-white">
      <Title event={event} />
      <div className="mt-[5cqmin] flex items-center gap-[4cqmin] rounded-[4cqmin] bg-white p-[3.5cqmin] pe-[5cqmin] text-[#2b1c15]">
        <Code link={link} className="-m-[2.4cqmin] me-0 size-[38cqmin] shrink-0" />
        <How link={link} width={41} />
      </div>
    </div>
  </div>
)

const Strip = ({ link, event, cover }: Layout) => (
  <div className="flex size-full flex-col text-center">
    <div className="min-h-[8cqh] flex-[0_5_15cqh]">{cover}</div>
    <div className="flex min-h-0 flex-[1_1_auto] flex-col items-center justify-evenly gap-[1.5cqmin] px-[6.5cqmin] py-[3cqmin]">
      <Title event={event} />
      <Code link={link} className="-my-[1cqmin] min-h-[32cqmin] w-[60cqmin] flex-[0_1_60cqmin]" />
      <How link={link} width={84} brief />
    </div>
  </div>
)

/** How a page is laid out, by its look. */
export const layouts: Record<Look, React.FC<Layout>> = { above: Above, behind: Behind, strip: Strip }

const Title = ({ event: { event_name: name, event_location: place, ...event } }: { event: Event }) => (
  <div className="grid gap-[1.6cqmin]">
    <h2
      className="font-display leading-[1.12] font-semibold text-balance wrap-anywhere [text-align:match-parent]"
      style={{ fontSize: `${sizeOfTitle(name)}cqmin` }}
      dir="auto"
    >
      {name}
    </h2>
    <p className="leading-snug text-balance" style={{ fontSize: `${sizeOfPlace(place)}cqmin` }}>
      {whenOf(event)}
      {place && (
        <span className="block wrap-anywhere [text-align:match-parent]" dir="auto">
          {place}
        </span>
      )}
    </p>
  </div>
)

const Code = ({ link, className }: { link: EventLink; className: string }) => (
  <img src={link.link_qr_svg_url} alt="" className={`object-contain ${className}`} />
)

type HowProps = {
  link: EventLink
  /** Of its place, in hundredths of the page's. */
  width: number
  brief?: boolean
}

/** What to do, what comes of it, and what somebody types who does not scan. */
const How = ({ link, width, brief = false }: HowProps) => {
  const { t } = useWords()
  const [host = '', code = ''] = addressOf(link)
  return (
    <div className={`grid min-w-0 gap-[2.2cqmin] ${brief ? '' : 'flex-1'}`}>
      <p className="font-display text-[4.6cqmin] leading-tight font-semibold text-balance text-ember">
        {t(`links.scan.${link.link_kind}`)}
      </p>
      {!brief && <p className="text-[3.2cqmin] leading-snug text-pretty">{t(`links.sent.${link.link_kind}`)}</p>}
      {link.link_pin_required && (
        <p className="text-[3.6cqmin] leading-tight">
          {t('links.enterPin')}:{' '}
          {link.link_pin ? (
            <b className="text-[1.35em] tracking-widest">{link.link_pin}</b>
          ) : (
            <span className="inline-block w-[6em] border-b border-black" />
          )}
        </p>
      )}
      <p className="text-[3.2cqmin] leading-snug">
        {link.extra.short_code && <span className="block">{t('links.orType')}</span>}
        <bdi
          dir="ltr"
          className="block font-semibold wrap-anywhere [text-align:match-parent]"
          style={{ fontSize: `${sizeOfAddress(host, code, width)}cqmin` }}
        >
          <span className="inline-block max-w-full">{host}</span>
          <wbr />
          <span className="inline-block max-w-full whitespace-nowrap">{code}</span>
        </bdi>
      </p>
    </div>
  )
}

/** Without its protocol, in two parts between which a line may break. */
const addressOf = ({ link_url, extra }: EventLink) => {
  const address = (extra.short_url ?? link_url).replace(/^https?:\/\//, '')
  const at = address.lastIndexOf('/') + 1
  return [address.slice(0, at), address.slice(at)]
}
