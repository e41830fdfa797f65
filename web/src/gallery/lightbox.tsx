import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import Lightbox, { type ControllerRef, type Slide } from 'yet-another-react-lightbox'
import Inline from 'yet-another-react-lightbox/plugins/inline'
import Video from 'yet-another-react-lightbox/plugins/video'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import { useWords } from '../app/words.ts'

type Props = { slides: Slide[]; at: number; onView(at: number): void }

const plugins = [Inline, Zoom, Video]
const none = () => null
const still = matchMedia('(prefers-reduced-motion: reduce)')

/** One photo large, the others a swipe or a key away; zooms by pinch, wheel and double tap. */
export const PhotoStage = ({ slides, at, onView }: Props) => {
  const { t } = useWords()
  const controller = useRef<ControllerRef>(null)
  return (
    <Lightbox
      slides={slides}
      index={at}
      plugins={plugins}
      inline={{ style: { width: '100%', height: '100%' } }}
      controller={{ ref: controller, closeOnEscape: false }}
      carousel={{ finite: true, preload: 1, padding: 0, spacing: '8%' }}
      animation={still.matches ? { fade: 0, swipe: 0, navigation: 0, zoom: 0 } : { swipe: 260 }}
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
        '{index} of {total}': `{index} / {total}`,
      }}
      render={{
        buttonZoom: none,
        iconPrev: () => <ChevronLeft className="size-7 rtl:-scale-x-100" aria-hidden="true" />,
        iconNext: () => <ChevronRight className="size-7 rtl:-scale-x-100" aria-hidden="true" />,
      }}
    />
  )
}
