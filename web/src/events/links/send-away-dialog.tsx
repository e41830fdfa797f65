import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { Choice } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { type EventLink, reloadSentAway } from './links-queries.ts'

const minuteMs = 60_000

/** Closes a link and sends away who came by it since a moment. */
export const SendAwayDialog = ({ link, onClose }: { link: EventLink; onClose(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: (form: FormData) => {
      const minutes = Number(formText(form, 'minutes'))
      const since = minutes > 0 ? new Date(Date.now() - minutes * minuteMs).toISOString() : null
      return api.links.sendAwayByLink({ link_id: link.id, since })
    },
    onSuccess: ({ away_people_count: count }) => {
      say(t('links.awayDone', { count }))
      onClose()
    },
    onSettled: () => reloadSentAway(client, link.event_id),
  })
  return (
    <Dialog open onClose={onClose} title={t('links.awayTitle')} about={t('links.awayAbout')}>
      <form onSubmit={useForm(act.mutate)} className="grid gap-4">
        <FormProblem text={formError(act.error, ['since'])} />
        <Choice name="minutes" label={t('links.awaySince')} defaultValue="60" error={fieldError(act.error, 'since')}>
          <option value="10">{t('links.awayMinutes')}</option>
          <option value="60">{t('links.awayHour')}</option>
          <option value="1440">{t('links.awayDay')}</option>
          <option value="0">{t('links.awayEver')}</option>
        </Choice>
        <Button type="submit" look="danger" size="large" busy={act.isPending}>
          {t('links.awayAct')}
        </Button>
      </form>
    </Dialog>
  )
}
