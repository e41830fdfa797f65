import { ImagePlus } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { whenIdle } from '../app/idle.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failing.ts'

/** It comes after the album is drawn. */
const queue = () => import('./upload-queue.ts')

/** Chooses photos and films, as many as one likes, and puts them in the queue. */
export const AddPhotos = ({ eventId, input }: { eventId: number; input: RefObject<HTMLInputElement | null> }) => {
  const { t } = useWords()
  useEffect(() => {
    // Soon, as there may be no network when the photos are chosen.
    void whenIdle()
      .then(queue)
      .then(({ sender }) => sender())
      .catch(() => {})
  }, [])
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,video/*,.heic,.heif,.mov"
        multiple
        hidden
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          queue()
            .then(({ enqueue }) => enqueue(eventId, files))
            .catch(sayFailure)
        }}
      />
      <Button
        size="small"
        icon={<ImagePlus className="size-4.5" aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        <span className="max-[26rem]:sr-only">{t('gallery.add')}</span>
      </Button>
    </>
  )
}
