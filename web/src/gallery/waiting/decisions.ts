import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { say } from '../../ui/layers/toasts.ts'
import { waitingKey } from '../keys.ts'
import type { Photo } from '../queries.ts'

/** As many as one request decides about. */
const mostAtOnce = 100

type Decision = { approve: boolean; photos: readonly Photo[] }
export type Decide = (decision: Decision) => void

/** What is decided about, and whether the server has been told, is out of the list; if it could not be, it comes back. */
export const useDecisions = (eventId: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const { mutate } = useMutation({
    mutationFn: async ({ approve, photos }: Decision) => {
      const input = { event_id: eventId, event_photo_ids: photos.map(({ id }) => Number(id)) }
      await (approve ? api.gallery.approvePhotos(input) : api.gallery.refusePhotos(input))
    },
    onSuccess: (_, { approve }) => {
      say(approve ? t('waiting.approved') : t('waiting.refused'))
      return client.invalidateQueries({ queryKey: waitingKey(eventId) })
    },
    onError: (error, { photos }) => {
      setDecided(all => new Set([...all].filter(id => photos.every(photo => photo.id !== id))))
      sayFailure(error)
    },
  })
  const decide: Decide = ({ approve, photos }) => {
    const asked = photos.slice(0, mostAtOnce)
    setDecided(all => new Set([...all, ...asked.map(({ id }) => id)]))
    mutate({ approve, photos: asked })
  }
  return { decide, decided }
}
