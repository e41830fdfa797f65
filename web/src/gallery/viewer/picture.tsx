import { useRef, useState } from 'react'
import { Blurred } from '../../ui/pictures/blurred.tsx'
import { shownOnTile } from '../tile-pictures.ts'
import { isSparing } from './data-saver.ts'
import { Moment } from './moment.tsx'
import { fitted, type Shot, sourcesOf } from './shot.ts'

type Props = {
  shot: Shot
  room: { width: number; height: number }
  zoom?: number | undefined
  /** The current photo, not a neighbour. */
  current: boolean
  /** It may use the network; its preview is shown meanwhile. */
  sharp: boolean
  onArrived?(id: string): void
}

/** A picture that shows its tile's preview at once, and becomes sharp when it has arrived. */
export const Picture = ({ shot, room, zoom = 1, current, sharp, onArrived }: Props) => {
  const { width, height } = fitted(shot, room)
  const [preview] = useState(() => shownOnTile(shot.preview))
  const asked = useRef(sharp)
  // A sharp picture stays sharp while it leaves the screen.
  asked.current ||= sharp
  const zoomed = zoom > 1
  const sizes = `${Math.round((width * zoom) / (isSparing() ? devicePixelRatio : 1))}px`
  const look = 'absolute inset-0 size-full select-none'
  return (
    <div
      data-shot={current ? shot.id : undefined}
      className="relative shrink-0 [-webkit-touch-callout:none]"
      style={{ width, height }}
    >
      <Blurred thumbhash={shot.thumbhash} />
      <img src={preview ?? shot.preview} alt="" decoding="sync" draggable={false} className={look} />
      {asked.current && (
        <picture>
          <source type="image/avif" srcSet={sourcesOf(shot, { zoomed, avif: true })} sizes={sizes} />
          <img
            srcSet={sourcesOf(shot, { zoomed, avif: false })}
            sizes={sizes}
            alt={shot.alt}
            draggable={false}
            fetchPriority={current ? 'high' : 'low'}
            className={look}
            onLoad={() => onArrived?.(shot.id)}
          />
        </picture>
      )}
      {shot.motion && current && zoom === 1 && <Moment url={shot.motion} look={look} />}
    </div>
  )
}
