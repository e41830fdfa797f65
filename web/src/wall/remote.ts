import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { sayUndoable } from '../ui/layers/toasts.ts'
import { wallKey } from './keys.ts'
import type { Wall } from './wall-query.ts'

export type WallChanges = Omit<Parameters<typeof api.wall.saveWall>[0], 'event_id'>
export type Mark = Parameters<typeof api.wall.markForWall>[0]['wall_mark']

/** An organizer's acts on an event's wall; this page shows their results. */
export const useRemote = (eventId: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const onSuccess = (wall: Wall) => client.setQueryData(wallKey(eventId), wall)
  const onError = (error: unknown) => {
    sayFailure(error)
    void client.invalidateQueries({ queryKey: wallKey(eventId) })
  }
  const change = useMutation({
    mutationFn: (wish: WallChanges) => api.wall.saveWall({ event_id: eventId, ...wish }),
    onSuccess,
    onError,
  })
  const mark = useMutation({
    mutationFn: ({ photoId, wall_mark }: { photoId: string; wall_mark: Mark }) =>
      api.wall.markForWall({ event_photo_id: photoId, wall_mark }),
    onSuccess: (wall, { photoId, wall_mark }) => {
      onSuccess(wall)
      if (wall_mark !== 'hidden') return
      sayUndoable(t('wall.hidden'), () => mark.mutate({ photoId, wall_mark: 'none' }))
    },
    onError,
  })
  return {
    change: change.mutate,
    mark: (photoId: string, wall_mark: Mark) => mark.mutate({ photoId, wall_mark }),
  }
}
