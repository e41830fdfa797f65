import { Camera, FolderUp, ImagePlus } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSettled, whenIdle } from '../app/idle.ts'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { AddPhotosExtras } from './add-photos-extras.tsx'
import { chooseFolder, type Intake } from './intake.ts'

/** Chooses a folder with all its contents. */
const FolderButton = ({ onTake }: { onTake(taken: Intake): void }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      aria-label={t('gallery.folder')}
      title={t('gallery.folder')}
      className={buttonClass('soft', 'large', 'w-14 shrink-0 px-0 shadow-float')}
      onClick={() => void chooseFolder().then(onTake)}
    >
      <FolderUp className="size-6 shrink-0" />
    </button>
  )
}

/** Loaded after the page is rendered. */
const queue = () => import('./upload-queue.ts')
/** Elsewhere, the camera is a window of the browser's, or missing. */
const hasCamera = matchMedia('(pointer: coarse)').matches
const intake = () => import('./intake.ts')

type Props = {
  eventId: number
  /** The file input, for other buttons that open the chooser. */
  input?: RefObject<HTMLInputElement | null>
  onAdded?: () => void
  look?: 'main' | 'quiet'
  className?: string
}

/** Chooses any number of photos and videos, takes one, or accepts dropped files, and adds them to the queue. */
export const AddPhotos = ({ eventId, input, onAdded, look = 'main', className = '' }: Props) => {
  const { t } = useWords()
  const own = useRef<HTMLInputElement>(null)
  const files = input ?? own
  const camera = useRef<HTMLInputElement>(null)
  const settled = useSettled()
  const [cannot, setCannot] = useState(false)
  const { add, take } = useAdding(eventId, onAdded)
  const choose = async (input: HTMLInputElement | null) => {
    input?.click()
    const { noChooserOpened } = await import('./chooser.ts')
    if (input && (await noChooserOpened(input))) setCannot(true)
  }
  const choosing = {
    type: 'file',
    hidden: true,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const chosen = [...(target.files ?? [])]
      target.value = ''
      void add(chosen)
    },
  } as const
  return (
    <div className={`flex gap-2 ${className}`}>
      <input
        {...choosing}
        ref={files}
        accept="image/*,video/*,.heic,.heif,.mov,.cr2,.cr3,.nef,.arw,.dng,.raf,.orf,.rw2"
        multiple
      />
      <button
        type="button"
        className={buttonClass(look, 'large', 'min-w-0 flex-1 shadow-float max-[23rem]:px-3 max-[23rem]:text-base')}
        onClick={() => void choose(files.current)}
      >
        <ImagePlus className="size-6 shrink-0" />
        {t('gallery.add')}
      </button>
      {hasCamera ? (
        <>
          <input {...choosing} ref={camera} accept="image/*" capture="environment" data-camera />
          <button
            type="button"
            aria-label={t('gallery.camera')}
            className={buttonClass('soft', 'large', 'w-14 shrink-0 px-0 shadow-float')}
            onClick={() => void choose(camera.current)}
          >
            <Camera className="size-6 shrink-0" />
          </button>
        </>
      ) : (
        <FolderButton onTake={take} />
      )}
      {settled && <AddPhotosExtras {...{ eventId, cannot }} onTake={take} onClose={() => setCannot(false)} />}
    </div>
  )
}

/** Adds files to the queue, whose code is loaded early: there may be no network when the photos are chosen. */
const useAdding = (eventId: number, onAdded: (() => void) | undefined) => {
  useEffect(() => {
    void whenIdle()
      .then(queue)
      .then(({ sender }) => Promise.all([sender(), intake()]))
      .catch(() => {})
  }, [])
  const add = async (chosen: readonly File[]) => {
    if (chosen.length === 0) return
    await queue()
      .then(({ enqueue }) => {
        onAdded?.()
        return enqueue(eventId, chosen)
      })
      .catch(sayFailure)
  }
  const take = async (taken: Intake) => {
    ;(await intake()).sayOthers(taken)
    await add(taken.files)
  }
  return { add, take }
}

/** Within a thumb's reach, above the navigation bar; in a very low window at the end of the page. */
export const atThumb =
  'sticky bottom-[calc(4.75rem+var(--pill)+env(safe-area-inset-bottom))] z-20 mx-auto w-full max-w-md lg:bottom-5 [@media(max-height:26rem)]:static'
