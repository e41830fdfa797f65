import { useCoverColours } from '../cover-colours.ts'
import { EventPicture } from '../event-picture.tsx'
import type { Event } from '../queries.ts'
import type { EventLink } from './links-queries.ts'
import { layouts } from './paper-layouts.tsx'
import type { Look, Paper } from './papers.ts'

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
    <article className="covered @container-size size-full" style={style}>
      <Looking link={link} event={event} cover={<EventPicture event={event} paper onCover={onCover} />} />
    </article>
  )
}
