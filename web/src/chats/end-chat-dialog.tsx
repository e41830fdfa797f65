import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dayOf, timeOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { momentOf, wallTime } from '../app/time-zones.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { DateTimeField } from '../ui/field.tsx'
import { formMaybe, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { chatKey, chatsKey } from './keys.ts'

type Props = { chatId: number; timezone: string; onClose(): void }

/** Lets an organizer make a chat read-only, now or at a time in the event's zone. */
export const EndChatDialog = ({ chatId, timezone, onClose }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: (from: string | null) =>
      api.chats.endChat({ group_chat_id: chatId, ...(from && { from: momentOf(from, timezone).toISOString() }) }),
    onSuccess: async ({ extra }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: chatKey(chatId) }),
        client.invalidateQueries({ queryKey: chatsKey }),
      ])
      const from = extra?.read_only_from
      say(from ? t('endChat.later', { when: `${dayOf(from, timezone)} ${timeOf(from, timezone)}` }) : t('endChat.done'))
      onClose()
    },
  })
  const send = useForm(form => end.mutate(formMaybe(form, 'from')))
  return (
    <Dialog open title={t('endChat.title')} about={t('endChat.about')} onClose={onClose}>
      <form onSubmit={send} className="grid gap-4 pt-2">
        <FormProblem text={formError(end.error, ['from'])} />
        <DateTimeField
          name="from"
          label={t('endChat.from')}
          hint={t('endChat.hint')}
          min={wallTime(new Date(), timezone)}
          error={fieldError(end.error, 'from')}
        />
        <Button type="submit" busy={end.isPending}>
          {t('endChat.act')}
        </Button>
      </form>
    </Dialog>
  )
}
