import 'yet-another-react-lightbox/styles.css'
import './lightbox.css'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import Lightbox, {
  ACTION_CLOSE,
  type ComponentProps,
  createModule,
  LightboxRoot,
  MODULE_NO_SCROLL,
  MODULE_PORTAL,
  type Plugin,
  type Slide,
  type SlideImage,
  useEvents,
} from 'yet-another-react-lightbox'
import Video from 'yet-another-react-lightbox/plugins/video'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { useWords } from '../../app/words.ts'
import { mayFetchAhead } from './data-saver.ts'
import { Picture } from './picture.tsx'
import type { Shot } from './shot.ts'
import { stageIsDrawn } from './view-transition.ts'

const slideOf = (shot: Shot): Slide => {
  const { film, full, alt, width, height } = shot
  return film
    ? { type: 'video', poster: film.poster, width, height, sources: [{ src: film.url, type: 'video/mp4' }] }
    : { src: full, alt, width, height, shot }
}

/** The lightbox's slides: the same objects as long as pictures and texts are the same, so that a like moves nothing. */
const useSlides = (shots: readonly Shot[]): Slide[] => {
  const known = useRef(new Map<string, { key: string; slide: Slide }>())
  const last = useRef<Slide[]>([])
  const slides = shots.map(shot => {
    const before = known.current.get(shot.id)
    const key = JSON.stringify(shot)
    if (before?.key === key) return before.slide
    const slide = slideOf(shot)
    known.current.set(shot.id, { key, slide })
    return slide
  })
  const same = slides.length === last.current.length && slides.every((slide, at) => slide === last.current[at])
  if (!same) last.current = slides
  return last.current
}

type Props = { shots: readonly Shot[]; at: number; onView(at: number): void; onClose(): void }

declare module 'yet-another-react-lightbox' {
  interface SlideImage {
    shot?: Shot
  }
}

/** Rendered in its place on the page, rather than over it. */
const Place = ({ children, close }: ComponentProps) => {
  const { subscribe } = useEvents()
  useEffect(() => subscribe(ACTION_CLOSE, close), [subscribe, close])
  return <LightboxRoot className="relative size-full">{children}</LightboxRoot>
}
const inPlace: Plugin = ({ remove, replace }) => {
  remove(MODULE_NO_SCROLL)
  replace(MODULE_PORTAL, createModule('place', Place))
}

const plugins = [inPlace, Zoom, Video]
const none = () => null
const still = matchMedia('(prefers-reduced-motion: reduce)')

/**
 * One picture in large, the others a swipe or a key away; zooms by pinch, wheel and double tap, and closes by pulling
 * down.
 */
export const PhotoStage = ({ shots, at, onView, onClose }: Props) => {
  const { t } = useWords()
  const slides = useSlides(shots)
  /** Pictures that have become sharp: only then is their neighbour requested. */
  const [arrived, setArrived] = useState<string>()
  const shown = shots[at]
  useLayoutEffect(stageIsDrawn, [])
  const ahead = shown !== undefined && arrived === shown.id && mayFetchAhead()
  return (
    <Lightbox
      open
      close={onClose}
      slides={slides}
      index={at}
      plugins={plugins}
      controller={{ closeOnEscape: false, closeOnPullDown: true }}
      carousel={{ finite: true, preload: 1, padding: 0, spacing: '8%' }}
      animation={still.matches ? { fade: 0, swipe: 0, navigation: 0, zoom: 0 } : { fade: 160, swipe: 260 }}
      zoom={{ maxZoomPixelRatio: 2, scrollToZoom: true, doubleClickMaxStops: 1 }}
      video={{ controls: true, playsInline: true, preload: 'metadata' }}
      toolbar={{ buttons: [] }}
      on={{ view: ({ index }) => onView(index) }}
      labels={{
        Previous: t('common.previous'),
        Next: t('common.next'),
        Lightbox: t('gallery.title'),
        Carousel: t('gallery.title'),
        'Photo gallery': t('gallery.title'),
        Slide: t('photo.one'),
        '{index} of {total}': t('photo.position', { number: '{index}', total: '{total}' }),
      }}
      render={{
        slide: ({ slide, offset, rect, zoom }) => {
          const { shot } = slide as SlideImage
          return shot ? (
            <Picture
              key={shot.id}
              shot={shot}
              room={rect}
              zoom={zoom}
              current={offset === 0}
              sharp={offset === 0 || ahead}
              onArrived={offset === 0 ? setArrived : undefined}
            />
          ) : undefined
        },
        buttonZoom: none,
        iconPrev: () => <ChevronLeft className="size-7" />,
        iconNext: () => <ChevronRight className="size-7" />,
      }}
    />
  )
}
