import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { RowsPhotoAlbum } from 'react-photo-album'
import 'react-photo-album/rows.css'
import { gap, guessedHeight, rowHeight } from './blocks.ts'
import { PhotoTile, type TileProps } from './photo-tile.tsx'
import type { Photo } from './queries.ts'

type Props = Omit<TileProps, 'photo' | 'width' | 'height' | 'selected'> & {
  photos: readonly Photo[]
  width: number
  selected: ReadonlySet<string>
  /** Drawn at once, because it is what is seen first. */
  first: boolean
}

/** Some rows of the album. Far from the screen only their height is left of them. */
export const PhotoBlock = memo(({ photos, width, first, selected, ...tile }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(first)
  const drawn = useRef({ width: 0, height: 0 })
  const sized = useMemo(() => photos.map(sizedPhoto), [photos])
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        const { width, height } = entry.boundingClientRect
        if (!entry.isIntersecting) drawn.current = { width, height }
        // Far ahead of the screen: scrolling goes before it.
        startTransition(() => setNear(entry.isIntersecting))
      },
      { rootMargin: '1400px 0px' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const height = Math.abs(drawn.current.width - width) < 1 ? drawn.current.height : guessedHeight(sized, width)
  return (
    <div ref={place} role="presentation" style={near ? undefined : { height }}>
      {near && (
        <RowsPhotoAlbum
          photos={sized}
          defaultContainerWidth={width}
          targetRowHeight={rowHeight}
          spacing={gap}
          rowConstraints={{ singleRowMaxHeight: rowHeight(width) * 1.5 }}
          componentsProps={{ container: { role: 'presentation' }, track: { role: 'presentation' } }}
          render={{
            photo: (_, { photo, width, height }) => (
              <PhotoTile
                key={photo.key}
                {...tile}
                photo={photo.photo}
                width={width}
                height={height}
                selected={selected.has(photo.photo.id)}
              />
            ),
          }}
        />
      )}
    </div>
  )
})

const sizedPhoto = (photo: Photo) => ({
  key: photo.id,
  src: photo.event_photo_preview_url,
  // A panorama or a strip would take a row of its own, too low or too high to be seen.
  width: Math.min(Math.max((photo.extra?.width ?? 1) / (photo.extra?.height ?? 1), 0.5), 2.4) * 1000,
  height: 1000,
  photo,
})
