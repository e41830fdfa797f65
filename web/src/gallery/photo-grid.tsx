import { Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Listed, rowsOf } from '../app/cache/pages.ts'
import { count, hourOf, longDayOf, raised } from '../app/date-format.ts'
import { useSettled } from '../app/idle.ts'
import { blocksOf, gap, unchanged } from './blocks.ts'
import { NewPhotos, useHeldBack } from './new-photos.tsx'
import { PhotoBlock } from './photo-block.tsx'
import type { PhotoFilter } from './photo-filter.ts'
import { useOpening } from './photo-opening.ts'
import type { Photo } from './queries.ts'
import { type Section, sectionsOf } from './sections.ts'

type Props = {
  listed: Listed<Photo>
  eventId: number
  showing: PhotoFilter
  /** By the days' keys, as in the timeline. */
  dayCounts: ReadonlyMap<string, number>
  selecting: boolean
  selected: ReadonlySet<string>
  onSelect(id: string): void
}

const idOf = ({ id }: Photo) => id

/** The album, in rows as wide as the page. Photos added while somebody looks further down wait behind a button. */
export const PhotoGrid = ({ listed, eventId, showing, dayCounts, ...rest }: Props) => {
  const opening = useOpening(eventId, showing)
  const settled = useSettled()
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const top = useRef<HTMLDivElement>(null)
  const away = useAwayFromTop(top)
  const firstPage = listed.pages[0]?.current_page
  const photos = useMemo(() => rowsOf(listed, idOf), [listed])
  const held = useHeldBack(photos, firstPage, away)
  const sections = useMemo(() => sectionsOf(photos, showing), [photos, showing])
  /** The last one may continue. */
  const end = listed.pages.at(-1)?.next_page_url === null ? undefined : sections.get(photos.at(-1)?.id ?? '')
  const blocks = useBlocks(listed, photos, held, sections)
  return (
    <div ref={place}>
      <div ref={top} className="absolute top-0 h-60 w-px" />
      <NewPhotos held={held} />
      {width > 0 && (
        <div className="grid" style={{ gap: gap(width) }}>
          {blocks.map((block, at) => {
            const section = sections.get(block[0]?.id ?? '')
            const begins = section?.key !== sections.get(blocks[at - 1]?.[0]?.id ?? '')?.key
            const part = section?.hour ? 'key' : 'day'
            return (
              <Fragment key={block.at(-1)?.id}>
                {section && begins && (
                  <Heading
                    section={section}
                    count={
                      section[part] === end?.[part] || firstPage !== 1 ? dayCounts.get(section[part]) : section.count
                    }
                  />
                )}
                <PhotoBlock {...rest} {...opening} photos={block} width={width} settled={settled} first={at === 0} />
              </Fragment>
            )
          })}
        </div>
      )}
    </div>
  )
}

type Sections = ReturnType<typeof sectionsOf>

/** The blocks of all photos that do not wait. An unchanged block stays the same object. */
const useBlocks = (listed: Listed<Photo>, photos: readonly Photo[], held: number, sections: Sections) => {
  const drawn = useRef<Photo[][]>([])
  return useMemo(() => {
    const waiting = new Set(photos.slice(0, held).map(idOf))
    const pages = listed.pages.map(({ data }) => data.filter(({ id }) => !waiting.has(id)))
    drawn.current = unchanged(
      drawn.current,
      blocksOf(pages, idOf, ({ id }) => sections.get(id)?.key),
    )
    return drawn.current
  }, [listed, photos, held, sections])
}

/** A day or an hour. Its count is known once all its photos are loaded, or from the timeline. */
const Heading = ({ section: { at, hour }, count: photos }: { section: Section; count: number | undefined }) => (
  <h2
    className={`flex scroll-mt-32 items-baseline gap-2 px-2 pb-1 font-semibold ${hour ? 'pt-1 text-sm text-soft' : 'pt-3'}`}
  >
    {hour ? hourOf(at) : raised(longDayOf(at))}
    {photos !== undefined && <span className="text-sm font-normal text-soft">{count(photos)}</span>}
  </h2>
)

const useWidth = (place: React.RefObject<HTMLDivElement | null>) => {
  const [width, setWidth] = useState(0)
  // Runs before painting: content after an album without photos would jump.
  useLayoutEffect(() => {
    if (!place.current) return
    setWidth(place.current.clientWidth)
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [place])
  return width
}

/** An observer at the top of the page decides: reading the scroll position would lay it out in every frame. */
const useAwayFromTop = (top: React.RefObject<HTMLDivElement | null>) => {
  const [away, setAway] = useState(false)
  useEffect(() => {
    if (!top.current) return
    const watch = new IntersectionObserver(([entry]) => entry && setAway(!entry.isIntersecting))
    watch.observe(top.current)
    return () => watch.disconnect()
  }, [top])
  return away
}
