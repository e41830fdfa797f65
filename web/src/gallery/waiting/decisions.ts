import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { eventKey, waitingListKey } from '../../events/keys.ts'
import { sayFailure } from '../../ui/failure.ts'
import { say, sayUndoable } from '../../ui/layers/toasts.ts'
import { waitingKey } from '../keys.ts'
import type { Photo } from '../queries.ts'

type Decision = { approve: boolean; photos: readonly Photo[] | 'all' }
export type Decide = (decision: Decision) => void

/**
 * A decided photo leaves the list before the service knows; if the decision fails, it comes back. A decision is one act
 * of the service, which says how many photos it covered, and is undone whole.
 */
export const useDecisions = (eventId: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const reload = () =>
    Promise.all(
      [waitingKey(eventId), eventKey(eventId), waitingListKey].map(queryKey => client.invalidateQueries({ queryKey })),
    )
  const undo = useMutation({
    mutationFn: (decision_id: number) => api.gallery.undoDecision({ decision_id }),
    onSuccess: ({ photos_decided_count: count }) => {
      setDecided(new Set())
      say(t('waiting.undone', { count }))
      return reload()
    },
    onError: sayFailure,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ approve, photos }: Decision) => {
      const which = photos === 'all' ? { all: true } : { event_photo_ids: photos.map(({ id }) => Number(id)) }
      return (approve ? api.gallery.approvePhotos : api.gallery.refusePhotos)({ event_id: eventId, ...which })
    },
    onSuccess: ({ decision_id: id, photos_decided_count: count }, { approve }) => {
      if (id === null) say(t('waiting.before'))
      else
        sayUndoable(approve ? t('waiting.approved', { count }) : t('waiting.refused', { count }), () => undo.mutate(id))
      return reload()
    },
    onError: (error, { photos }) => {
      const back = photos === 'all' ? [] : photos.map(({ id }) => id)
      setDecided(all => new Set([...all].filter(id => !back.includes(id))))
      sayFailure(error)
    },
  })
  const decide: Decide = decision => {
    const { photos } = decision
    if (photos !== 'all') setDecided(all => new Set([...all, ...photos.map(({ id }) => id)]))
    mutate(decision)
  }
  return { decide, decided, isPending }
}
