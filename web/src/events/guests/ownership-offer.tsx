import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { eventKey, guestsKey } from '../keys.ts'
import type { Event } from '../queries.ts'

/** For the person whom the owner has offered the event. */
export const OwnershipOffer = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const me = session.get()?.userId ?? 0
  const answer = useMutation({
    mutationFn: async (accepted: boolean) => {
      const input = { event_id: event.id, user_id: me }
      if (accepted) await api.events.handOver(input)
      else await api.events.endOffer(input)
    },
    onError: sayFailure,
    onSettled: () =>
      Promise.all([eventKey, guestsKey].map(keyOf => client.invalidateQueries({ queryKey: keyOf(event.id) }))),
  })
  if (event.extra.offered_to !== me) return null
  return (
    <section className="grid gap-3 rounded-2xl bg-glow p-4 text-on-glow">
      <h2 className="font-display text-xl font-semibold text-balance">{t('offer.title')}</h2>
      <p className="text-pretty">{t('offer.about')}</p>
      <div className="flex flex-wrap gap-2">
        <Button busy={answer.isPending} onClick={() => answer.mutate(true)}>
          {t('offer.accept')}
        </Button>
        <Button look="quiet" className="text-ink" onClick={() => answer.mutate(false)}>
          {t('offer.decline')}
        </Button>
      </div>
    </section>
  )
}
