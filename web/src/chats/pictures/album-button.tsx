import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, ImagePlus } from 'lucide-react'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { say } from '../../ui/layers/toasts.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { Attachment } from '../queries.ts'

/** Adds a picture of the chat to the album, in one tap; afterwards it says that it is there. */
export const AlbumButton = ({
  attachment,
  small = false,
  tabIndex,
}: {
  attachment: Attachment
  small?: boolean
  tabIndex?: -1
}) => {
  const { t } = useWords()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async () => (await import('./add-to-album.ts')).addToAlbum(client, attachment.id),
    onSuccess: isShown => say(isShown ? t('album.added') : t('album.waits')),
    onError: sayFailure,
  })
  const look =
    'absolute end-1.5 bottom-1.5 flex h-9 items-center gap-2 rounded-full bg-black/60 px-2 text-sm font-semibold text-white'
  if (attachment.message_attachment_added_to_album)
    return (
      <span className={look}>
        <Check className="size-4" />
        <span className={small ? 'sr-only' : ''}>{t('album.in')}</span>
      </span>
    )
  if (!attachment.extra.may.add_to_album) return null
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      disabled={add.isPending}
      onClick={() => add.mutate()}
      aria-label={t('album.add')}
      className={`${look} after:absolute after:-inset-1 hover:bg-black/80`}
    >
      {add.isPending ? <Spinner className="size-4" /> : <ImagePlus className="size-4.5" />}
      {!small && t('album.short')}
    </button>
  )
}
