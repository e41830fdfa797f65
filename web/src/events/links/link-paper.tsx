import { useWords } from '../../app/words.ts'
import { useCoverColours } from '../cover-colours.ts'
import { EventPicture } from '../event-picture.tsx'
import { whenOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import type { EventLink } from './links-queries.ts'
import type { Look, Paper } from './papers.ts'
import { sizeOfAddress, sizeOfPlace, sizeOfTitle } from './type-sizes.ts'

type Props = { link: EventLink; event: Event; look: Look }

/** A page as it is printed, filling its place: everything on it is in proportion to that. */
export const LinkPaper = ({ paper, ...sheet }: Props & { paper: Paper }) => (
  <div className="@container-size relative size-full overflow-hidden bg-white text-[#2b1c15] scheme-light [print-color-adjust:exact]">
    {paper.form === 'cards' ? (
      <>
        <CutMarks />
        <div className="absolute inset-[4.8cqw] grid grid-cols-2 grid-rows-2">
          {[1, 2, 3, 4].map(card => (
            <div key={card} className="min-h-0 min-w-0 outline-[0.1cqw] outline-[#d8d2cd]">
              <Sheet {...sheet} />
            </div>
          ))}
        </div>
      </>
    ) : (
      <Sheet {...sheet} />
    )}
  </div>
)

/** Outside of the cards, and within what printers reach. */
const CutMarks = () => (
  <div aria-hidden="true" className="[&>*]:absolute [&>*]:bg-black">
    {['left-[4.8cqw]', 'left-1/2', 'right-[4.8cqw]'].flatMap(at =>
      ['top-[2.4cqw]', 'bottom-[2.4cqw]'].map(end => (
        <span key={at + end} className={`${at} ${end} h-[1.8cqw] w-[0.1cqw]`} />
      )),
    )}
    {['top-[4.8cqw]', 'top-1/2', 'bottom-[4.8cqw]'].flatMap(at =>
      ['left-[2.4cqw]', 'right-[2.4cqw]'].map(end => (
        <span key={at + end} className={`${at} ${end} h-[0.1cqw] w-[1.8cqw]`} />
      )),
    )}
  </div>
)

const Sheet = ({ link, event, look }: Props) => {
  const { style, onCover } = useCoverColours(event.event_avatar_url)
  const Looking = layouts[look]
  return (
    <article className="@container-size size-full" style={style}>
      <Looking link={link} event={event} cover={<EventPicture event={event} paper onCover={onCover} />} />
    </article>
  )
}

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

const layouts: Record<Look, React.FC<Layout>> = { above: Above, behind: Behind, strip: Strip }

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
          <span className="inline-block max-w-full">{code}</span>
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
