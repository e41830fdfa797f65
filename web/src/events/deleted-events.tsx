import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { rowsOf } from '../app/cache/pages.ts'
import { dayOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { eventsKey } from './keys.ts'
import { eventsQuery } from './queries.ts'

const restorableMs = 30 * 86_400_000

/** What the owner deleted and can still bring back. */
export const DeletedEvents = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const { data } = useInfiniteQuery(eventsQuery('deleted'))
  const restore = useMutation({
    mutationFn: (event_id: number) => api.events.restoreEvent({ event_id }),
    onSuccess: () => say(t('events.restored')),
    onError: sayFailure,
    onSettled: () => client.invalidateQueries({ queryKey: eventsKey() }),
  })
  const events = rowsOf(data, event => event.id)
  if (events.length === 0) return null
  return (
    <section className="grid gap-2 pt-6">
      <h2 className="text-sm font-semibold text-soft">{t('events.deleted')}</h2>
      <ul className="grid gap-2">
        {events.map(({ id, event_name, extra: { deleted_at } }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 rounded-2xl border border-line bg-card px-4 py-3">
            <span className="grid min-w-0 flex-1">
              <span className="truncate font-semibold" dir="auto">
                {event_name}
              </span>
              {deleted_at && (
                <span className="text-sm text-soft">
                  {t('events.goneOn', { date: dayOf(new Date(Date.parse(deleted_at) + restorableMs)) })}
                </span>
              )}
            </span>
            <Button look="soft" size="small" busy={restore.isPending} onClick={() => restore.mutate(id)}>
              {t('events.restore')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
