import { memo, type RefObject, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { gap, isLarge, isSmall, laidOut } from './blocks.ts'
import { PhotoTile, type TileProps } from './photo-tile.tsx'
import type { Photo } from './queries.ts'
import { hurried } from './scroll-speed.ts'

type Props = Omit<TileProps, 'photo' | 'width' | 'height' | 'small' | 'selected' | 'top' | 'passing'> & {
  photos: readonly Photo[]
  width: number
  /** The first screen is there: until then, only its photos are loaded. */
  settled: boolean
  selected: ReadonlySet<string>
}

/** Pixels of a phone's screen above the album, and those covered below: the button at the thumb and the navigation. */
const above = 150
const below = 130
/** How many photos are loaded first. */
const topMax = 3

/** How much of a block is rendered: only its place, its photos' colours, or its photos. */
type BlockDistance = 'far' | 'passing' | 'near'
const placeOf = (isNear: boolean, was: BlockDistance): BlockDistance => {
  if (!isNear) return 'far'
  return was === 'far' && hurried.get() ? 'passing' : 'near'
}

/** Some rows of the album. Far from the screen, only their place remains. */
export const PhotoBlock = memo(({ photos, width, settled, selected, ...tile }: Props) => {
  const element = useRef<HTMLDivElement>(null)
  const { place, begins } = usePlace(element, tile.first, settled)
  const { rows, height } = useMemo(() => laidOut(photos, width), [photos, width])
  const small = isSmall(width)
  const end = settled ? Number.POSITIVE_INFINITY : innerHeight - below
  let top = begins.current
  const isBelow = ([tile]: (typeof rows)[number]) => {
    const from = top
    top += (tile?.height ?? 0) + gap(width)
    return from > end
  }
  return (
    <div
      ref={element}
      data-block={photos.at(-1)?.id}
      data-length={photos.length}
      className="grid scroll-mt-36 content-start"
      style={{ height, gap: gap(width) }}
    >
      {place !== 'far' &&
        rows.map(row => {
          const passing = isBelow(row) || place === 'passing'
          return (
            <div key={row[0]?.photo.id} className="flex" style={{ gap: gap(width) }}>
              {row.map(({ photo, ...size }) => (
                <PhotoTile
                  key={photo.id}
                  {...tile}
                  {...size}
                  small={small && !isLarge(size, width)}
                  passing={passing}
                  top={tile.first && photos.indexOf(photo) < topMax}
                  photo={photo}
                  selected={selected.has(photo.id)}
                />
              ))}
            </div>
          )
        })}
    </div>
  )
})

const usePlace = (element: RefObject<HTMLDivElement | null>, first: boolean, settled: boolean) => {
  /** Its position on the screen. */
  const begins = useRef(above)
  const [place, setPlace] = useState<BlockDistance>(first ? 'near' : 'far')
  useEffect(() => {
    if (!element.current) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        // Far ahead of the screen: scrolling takes precedence.
        if (!entry) return
        begins.current = entry.boundingClientRect.top
        startTransition(() => setPlace(was => placeOf(entry.isIntersecting, was)))
      },
      { rootMargin: settled ? '1400px 0px' : '0px' },
    )
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element, settled])
  useEffect(() => {
    if (place !== 'passing') return
    const look = () => !hurried.get() && startTransition(() => setPlace('near'))
    look()
    return hurried.follow(look)
  }, [place])
  return { place, begins }
}
