import { useMutation, useQueryClient } from '@tanstack/react-query'
import { applyChanges } from '../../app/cache/change.ts'
import { api } from '../../app/net/client.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { say, sayUndoable } from '../../ui/layers/toasts.ts'
import type { Photo } from '../queries.ts'
import { onGalleryEvent } from '../reducer.ts'

/** It waits, or an organizer hid it. */
export const isHeld = ({ extra }: Pick<Photo, 'extra'>) => extra.waiting || (extra.hidden && !extra.sealed)

/** Noted before the reply comes, as the channel may be faster. */
export const deletedHere = new Set<string>()

/** Acts on a photo that are sent at once, and not queued until there is a network. */
export const usePhotoActs = (onGone: (id: string) => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  const me = session.get()?.userId ?? 0
  const remove = useMutation({
    mutationFn: ({ id }: Photo) => {
      deletedHere.add(id)
      return api.gallery.deletePhoto({ event_photo_id: id })
    },
    onSuccess: (_, { id, event_id }) => {
      onGone(id)
      applyChanges(client, onGalleryEvent({ kind: 'photo.deleted', payload: { id, event_id } }, me))
      say(t('gallery.deletedDone', { count: 1 }))
    },
    onError: (error, { id }) => {
      deletedHere.delete(id)
      sayFailure(error)
    },
  })
  const hide = useMutation({
    mutationFn: (photo: Photo) =>
      (isHeld(photo) ? api.gallery.unhidePhoto : api.gallery.hidePhoto)({ event_photo_id: photo.id }),
    onSuccess: changed => {
      applyChanges(client, onGalleryEvent({ kind: 'photo.updated', payload: changed }, me))
      if (!changed.extra.hidden || changed.extra.sealed) return void say(t('hiding.undone'))
      sayUndoable(t('hiding.done'), () => hide.mutate(changed))
    },
    onError: sayFailure,
  })
  const showNow = useMutation({
    mutationFn: ({ id, event_id }: Photo) =>
      api.wall.saveWall({ event_id: Number(event_id), shown_photo_id: Number(id) }),
    onSuccess: () => say(t('wall.shown')),
    onError: sayFailure,
  })
  return { remove, hide, showNow }
}
