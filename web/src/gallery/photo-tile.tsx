import { Check } from 'lucide-react'
import { memo } from 'react'
import { isPlainClick } from '../app/router/router.tsx'
import { averageOf, Blurred } from '../ui/pictures/blurred.tsx'
import { useAlt } from './alt.ts'
import type { Photo } from './queries.ts'
import { Numbers, Signs } from './tile-signs.tsx'

export type TileProps = {
  photo: Photo
  width: number
  height: number
  /** Within 400 px, half of the bytes. */
  small: boolean
  hrefOf(id: string): string
  /** Opens it within the page. */
  onOpen(id: string): void
  selecting: boolean
  selected: boolean
  onSelect(id: string): void
  /** On the first screen, so it is loaded without waiting for scrolling. */
  first: boolean
  /** At the top of those: it is loaded before the others. */
  top: boolean
  /** Not visible long enough: scrolled past too fast, or below the first screen. */
  passing: boolean
}

/** A photo in the album: a tap opens it, or selects it while selecting. */
export const PhotoTile = memo((props: TileProps) => {
  const { photo, width, height, small, hrefOf, onOpen, selecting, selected, onSelect, first, top, passing } = props
  const alt = useAlt(photo)
  const picture = !passing && (
    <>
      <Blurred thumbhash={photo.extra.thumbhash} />
      <img
        src={photo.event_photo_preview_url + (small ? '&w=400' : '')}
        alt={alt}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={top ? 'high' : 'low'}
        decoding="async"
        draggable={false}
        className={`absolute inset-0 size-full object-cover transition duration-200 ${selected ? 'scale-90 rounded-xl' : 'group-hover:scale-[1.02]'}`}
      />
      <Signs photo={photo} />
      <Numbers photo={photo} />
    </>
  )
  const style = { width, height, ...(passing && { backgroundColor: averageOf(photo.extra.thumbhash ?? '') }) }
  const look = 'group relative block shrink-0 overflow-hidden rounded-xl bg-sunken lg:rounded-xl'
  if (selecting)
    return (
      <button type="button" aria-pressed={selected} onClick={() => onSelect(photo.id)} style={style} className={look}>
        {picture}
        <span
          aria-hidden="true"
          className={`absolute start-1.5 top-1.5 grid size-7 place-items-center rounded-full border-2 border-white ${selected ? 'bg-ember text-on-ember' : 'bg-black/40'}`}
        >
          {selected && <Check className="size-4.5" />}
        </span>
      </button>
    )
  return (
    <a
      href={hrefOf(photo.id)}
      onClick={event => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onOpen(photo.id)
      }}
      data-photo={photo.id}
      style={style}
      className={look}
    >
      {picture}
    </a>
  )
})
