import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { navigate, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { say } from '../ui/layers/toasts.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EventFailed } from './event-failed.tsx'
import { type EventFields, EventForm } from './form/event-form.tsx'
import { eventKey, eventsKey } from './keys.ts'
import { eventQuery } from './queries.ts'

export const EditEventPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/edit')
  const client = useQueryClient()
  const { data: event, error } = useQuery(eventQuery(eventId))
  const save = useMutation({
    mutationFn: (fields: EventFields) => api.events.saveEvent({ ...fields, event_id: eventId }),
    onSuccess: async saved => {
      client.setQueryData(eventKey(eventId), saved)
      void client.invalidateQueries({ queryKey: eventsKey() })
      const isRevealed = event?.extra.event_photos_shown !== 'at_once' && saved.extra.event_photos_shown === 'at_once'
      say(isRevealed ? t('reveal.done') : t('common.saved'))
      await navigate({ to: '/events/:eventId', params: { eventId } })
    },
  })
  return (
    <>
      <title>{`${t('event.edit')} · Afterglow`}</title>
      <PageHeader title={t('event.edit')} back={{ to: '/events/:eventId', params: { eventId } }} backOnDesktop />
      {event ? (
        <EventForm event={event} act={t('common.save')} busy={save.isPending} error={save.error} onSave={save.mutate} />
      ) : error ? (
        <EventFailed error={error} />
      ) : (
        <Skeleton className="m-4 h-96" />
      )}
    </>
  )
}
