import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { newSecret } from '../app/secret.ts'
import { momentOf, wallTime } from '../app/time-zones.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { DateTimeField, Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { Switch } from '../ui/switch.tsx'
import { zoneOf } from './event-words.ts'
import { eventKey, eventsKey } from './keys.ts'
import type { Event } from './queries.ts'

/** Where an organizer holds an event again, with one tap if a year later suits. */
export const AgainDialog = ({ event, onClose }: { event: Event; onClose(): void }) => {
  const { t } = useWords()
  const zone = zoneOf(event)
  const [invites, setInvites] = useState(false)
  const copy = useCopying(event.id)
  const send = useForm(form =>
    copy.mutate({
      event_name: formText(form, 'event_name'),
      event_starts_at: momentOf(formText(form, 'event_starts_at'), zone).toISOString(),
      guests_invited: invites,
    }),
  )
  return (
    <Dialog open title={t('again.title')} about={t('again.about')} onClose={onClose}>
      <form onSubmit={send} className="grid gap-4 pt-2">
        <FormProblem text={formError(copy.error, ['event_name', 'event_starts_at'])} />
        <Field
          name="event_name"
          label={t('eventForm.name')}
          defaultValue={event.event_name}
          required
          maxLength={100}
          error={fieldError(copy.error, 'event_name')}
          dir="auto"
        />
        <DateTimeField
          name="event_starts_at"
          label={t('eventForm.starts')}
          defaultValue={wallTime(nextYear(event.event_starts_at), zone)}
          required
          error={fieldError(copy.error, 'event_starts_at')}
        />
        <Switch label={t('again.invite')} checked={invites} onChange={setInvites} />
        <Button type="submit" busy={copy.isPending}>
          {t('again.act')}
        </Button>
      </form>
    </Dialog>
  )
}

/** Makes the copy and goes there: one event, however often it is sent, and another after a refusal. */
const useCopying = (event_id: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const keys = useRef(new Map<string, string>())
  return useMutation({
    mutationFn: (fields: { event_name: string; event_starts_at: string; guests_invited: boolean }) => {
      const of = JSON.stringify(fields)
      const idempotencyKey = keys.current.get(of) ?? newSecret()
      keys.current.set(of, idempotencyKey)
      return api.events.copyEvent({ ...fields, event_id }, { idempotencyKey })
    },
    onSuccess: async made => {
      client.setQueryData(eventKey(made.id), made)
      void client.invalidateQueries({ queryKey: eventsKey() })
      say(t('again.done'))
      await navigate({ to: '/events/:eventId', params: { eventId: made.id } })
    },
    onError: () => keys.current.clear(),
  })
}

/** The same day of the week, a year later; the next one that is still to come. */
const nextYear = (start: string) => {
  const years = Math.max(1, Math.ceil((Date.now() - new Date(start).getTime()) / yearMs))
  return new Date(new Date(start).getTime() + years * yearMs)
}
const yearMs = 364 * 24 * 60 * 60_000
