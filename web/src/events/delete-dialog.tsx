import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { proveOrSay } from '../ui/prove-first.ts'
import { eventKey, eventsKey } from './keys.ts'
import type { Event } from './queries.ts'

const alike = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLocaleLowerCase()

/** Deleting an event asks for its name: it goes for everybody. */
export const DeleteEventDialog = ({ event, onClose }: { event: Event; onClose(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [differs, setDiffers] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.events.deleteEvent({ event_id: event.id }),
    onSuccess: async () => {
      onClose()
      say(t('event.done.delete'))
      await navigate({ to: '/events' })
      client.removeQueries({ queryKey: eventKey(event.id) })
      await client.invalidateQueries({ queryKey: eventsKey() })
    },
    onError: error => proveOrSay(error, () => remove.mutate()),
  })
  const submit = useForm(form => {
    const same = alike(formText(form, 'event_name')) === alike(event.event_name)
    setDiffers(!same)
    if (same) remove.mutate()
  })
  return (
    <Dialog open title={t('event.ask.delete')} about={t('event.askMore.delete')} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4 pt-2">
        <Field
          name="event_name"
          label={t('event.typeName', { name: event.event_name })}
          autoComplete="off"
          dir="auto"
          required
          error={differs ? t('event.nameDiffers') : undefined}
        />
        <Button type="submit" look="danger" busy={remove.isPending}>
          {t('event.act.delete')}
        </Button>
      </form>
    </Dialog>
  )
}
