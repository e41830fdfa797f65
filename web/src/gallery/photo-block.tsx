import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { gap, isSmall, laidOut } from './blocks.ts'
import { PhotoTile, type TileProps } from './photo-tile.tsx'
import type { Photo } from './queries.ts'

type Props = Omit<TileProps, 'photo' | 'width' | 'height' | 'small' | 'selected' | 'top'> & {
  photos: readonly Photo[]
  width: number
  selected: ReadonlySet<string>
}

/** As many as early.ts loads before anything is drawn. */
const topMax = 3

/** Some rows of the album. Far from the screen only their place is left of them. */
export const PhotoBlock = memo(({ photos, width, selected, ...tile }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(tile.first)
  const { rows, height } = useMemo(() => laidOut(photos, width), [photos, width])
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        // Far ahead of the screen: scrolling goes before it.
        if (entry) startTransition(() => setNear(entry.isIntersecting))
      },
      { rootMargin: '1400px 0px' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const small = isSmall(width)
  return (
    <div
      ref={place}
      data-block={photos.at(-1)?.id}
      data-length={photos.length}
      className="grid scroll-mt-36 content-start"
      style={{ height, gap: gap(width) }}
    >
      {near &&
        rows.map(row => (
          <div key={row[0]?.photo.id} className="flex" style={{ gap: gap(width) }}>
            {row.map(({ photo, ...size }) => (
              <PhotoTile
                key={photo.id}
                {...tile}
                {...size}
                small={small}
                top={tile.first && photos.indexOf(photo) < topMax}
                photo={photo}
                selected={selected.has(photo.id)}
              />
            ))}
          </div>
        ))}
    </div>
  )
})
