import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { TextField } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { say } from '../ui/toasts.ts'
import { announcementsKey } from './keys.ts'

/** Where an organizer makes an announcement to everybody in the event. */
export const AnnounceDialog = ({ eventId, onClose }: { eventId: number; onClose(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const announce = useMutation({
    mutationFn: (announcement_text: string) =>
      api.announcements.makeAnnouncement({ event_id: eventId, announcement_text }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: announcementsKey(eventId) })
      say(t('announce.done'))
      onClose()
    },
  })
  const send = useForm(form => announce.mutate(formText(form, 'announcement_text')))
  return (
    <Dialog open title={t('announce.title')} about={t('announce.about')} onClose={onClose}>
      <form onSubmit={send} className="grid gap-4 pt-2">
        <FormProblem text={formError(announce.error, ['announcement_text'])} />
        <TextField
          name="announcement_text"
          label={t('announce.label')}
          maxLength={500}
          dir="auto"
          required
          error={fieldError(announce.error, 'announcement_text')}
        />
        <Button type="submit" busy={announce.isPending}>
          {t('announce.act')}
        </Button>
      </form>
    </Dialog>
  )
}
