import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { newSecret } from '../app/secret.ts'
import { useWords } from '../app/words.ts'
import { useDraft } from '../ui/draft.ts'
import { EventForm, eventDraft } from './form/event-form.tsx'
import type { EventFields } from './form/event-values.ts'
import { askToInvite } from './invite/inviting.ts'
import { eventKey, eventsKey } from './keys.ts'

export const NewEventPage = () => {
  const { t } = useWords()
  const client = useQueryClient()
  // One key per event: however often it is sent, it is created once. A refusal discards the key.
  const draft = useDraft(eventDraft())
  const key = useRef<{ of: string; key: string }>(undefined)
  const create = useMutation({
    mutationFn: (fields: EventFields) => {
      const of = JSON.stringify(fields) + (fields.event_avatar?.size ?? '')
      if (key.current?.of !== of) key.current = { of, key: newSecret() }
      return api.events.saveEvent({ ...fields, event_link: true }, { idempotencyKey: key.current.key })
    },
    onSuccess: async event => {
      draft.keep('')
      client.setQueryData(eventKey(event.id), event)
      void client.invalidateQueries({ queryKey: eventsKey() })
      await navigate({ to: '/events/:eventId', params: { eventId: event.id }, replace: true })
      askToInvite(event.id)
    },
  })
  return (
    <>
      <title>{`${t('eventForm.create')} · Afterglow`}</title>
      <EventForm
        title={t('eventForm.create')}
        act={t('eventForm.create')}
        back={{ to: '/events' }}
        busy={create.isPending}
        error={create.error}
        onSave={create.mutate}
      />
    </>
  )
}
