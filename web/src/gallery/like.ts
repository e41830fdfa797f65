import { useMutation, useQueryClient } from '@tanstack/react-query'
import { applyChanges } from '../app/change.ts'
import { api } from '../app/client.ts'
import { session } from '../app/session.ts'
import { sayFailure } from '../ui/failure.ts'
import type { Photo } from './queries.ts'
import { hearGallery } from './reducer.ts'

/** Likes a photo or removes the like, and shows it at once. */
export const useLike = () => {
  const client = useQueryClient()
  const show = (changed: Photo) =>
    applyChanges(client, hearGallery({ kind: 'photo.liked', payload: changed }, session.get()?.userId ?? 0))
  const change = useMutation({
    mutationFn: ({ id, liked }: Photo) => {
      const input = { event_photo_id: id }
      return liked ? api.gallery.unlikePhoto(input) : api.gallery.likePhoto(input)
    },
    onMutate: photo => show(toggled(photo)),
    onSuccess: show,
    onError: (error, photo) => {
      show(photo)
      sayFailure(error)
    },
  })
  return (photo: Photo) => change.mutate(photo)
}

const toggled = (photo: Photo): Photo => ({
  ...photo,
  liked: !photo.liked,
  event_photo_likes_count: String(Number(photo.event_photo_likes_count) + (photo.liked ? -1 : 1)),
})
