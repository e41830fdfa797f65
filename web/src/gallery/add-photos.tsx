import { Camera, ImagePlus } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { whenIdle } from '../app/idle.ts'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { sayFailure } from '../ui/failing.ts'

/** It comes after the page is drawn. */
const queue = () => import('./upload-queue.ts')
/** Elsewhere a camera is a window of the browser's, or none. */
const hasCamera = matchMedia('(pointer: coarse)').matches

type Props = {
  eventId: number
  /** What chooses files, for other buttons that do. */
  input?: RefObject<HTMLInputElement | null>
  onAdded?: () => void
  className?: string
}

/** Chooses photos and videos, as many as one likes, or takes one, and puts them in the queue. */
export const AddPhotos = ({ eventId, input, onAdded, className = '' }: Props) => {
  const { t } = useWords()
  const own = useRef<HTMLInputElement>(null)
  const files = input ?? own
  const camera = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Soon, as there may be no network when the photos are chosen.
    void whenIdle()
      .then(queue)
      .then(({ sender }) => sender())
      .catch(() => {})
  }, [])
  const choosing = {
    type: 'file',
    hidden: true,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const chosen = [...(target.files ?? [])]
      target.value = ''
      if (chosen.length === 0) return
      queue()
        .then(({ enqueue }) => enqueue(eventId, chosen))
        .then(onAdded)
        .catch(sayFailure)
    },
  } as const
  return (
    <div className={`flex gap-2 ${className}`}>
      <input {...choosing} ref={files} accept="image/*,video/*,.heic,.heif,.mov" multiple />
      <button
        type="button"
        className={buttonClass('main', 'large', 'min-w-0 flex-1 shadow-float max-[23rem]:px-3 max-[23rem]:text-base')}
        onClick={() => files.current?.click()}
      >
        <ImagePlus className="size-6 shrink-0" aria-hidden="true" />
        {t('gallery.add')}
      </button>
      {hasCamera && (
        <>
          <input {...choosing} ref={camera} accept="image/*" capture="environment" data-camera />
          <button
            type="button"
            aria-label={t('gallery.camera')}
            className={buttonClass('soft', 'large', 'w-14 shrink-0 px-0 shadow-float')}
            onClick={() => camera.current?.click()}
          >
            <Camera className="size-6 shrink-0" aria-hidden="true" />
          </button>
        </>
      )}
    </div>
  )
}

/** Where a thumb reaches it, above the places of the app; on a window that is hardly higher than it at the page's end. */
export const atThumb =
  'sticky bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-20 mx-auto w-full max-w-md lg:bottom-5 [@media(max-height:26rem)]:static'
