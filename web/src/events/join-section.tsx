import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { eventKey, eventsKey } from './keys.ts'
import type { Event } from './queries.ts'

/** For people outside the event: join, ask, or withdraw the request. */
export const Joining = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const again = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: eventKey(event.id) }),
      client.invalidateQueries({ queryKey: eventsKey() }),
    ])
  const ask = useMutation({
    mutationFn: () => api.events.askToJoin({ event_id: event.id }),
    onSuccess: ({ join_request_status }) => {
      say(join_request_status === 'joined' ? t('join.joined') : t('join.asked'))
      return again()
    },
    onError: sayFailure,
  })
  const withdraw = useMutation({
    mutationFn: () => api.events.withdrawJoinRequest({ event_id: event.id }),
    onSuccess: again,
    onError: sayFailure,
  })
  if (event.event_role === 'asked')
    return (
      <div className="grid gap-3 rounded-2xl bg-glow p-4 text-on-glow">
        <p className="font-semibold">{t('join.waiting')}</p>
        <p className="text-sm">{t('join.waitingMore')}</p>
        <Button
          look="quiet"
          size="small"
          className="justify-self-start"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          {t('join.withdraw')}
        </Button>
      </div>
    )
  if (!event.extra.may.ask && event.event_role !== 'invited')
    return <p className="rounded-2xl bg-sunken px-4 py-4 text-soft">{t('join.byInvitation')}</p>
  const atOnce = event.event_join_mode === 1 || event.event_role === 'invited'
  return (
    <div className="grid gap-2">
      <Button size="large" busy={ask.isPending} onClick={() => ask.mutate()}>
        {event.event_role === 'invited' ? t('join.accept') : atOnce ? t('join.join') : t('join.ask')}
      </Button>
      {!atOnce && <p className="text-center text-sm text-soft">{t('join.askMore')}</p>}
    </div>
  )
}
