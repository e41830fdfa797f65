import { useMutation } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failing.ts'
import { say } from '../ui/toasts.ts'

/** Chooses photos and adds them one after the other. */
export const AddPhotos = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const add = useMutation({
    mutationFn: async (files: File[]) => {
      for (const image of files) await api.gallery.uploadPhoto({ event_id: eventId, image })
      return files.length
    },
    onSuccess: count => say(t('gallery.added', { count })),
    onError: sayFailure,
  })
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) add.mutate(files)
        }}
      />
      <Button
        size="small"
        busy={add.isPending}
        icon={<ImagePlus className="size-4.5" aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {t('gallery.add')}
      </Button>
    </>
  )
}
