import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { nameOf } from '../people/names.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import type { GuestAnswer } from './answer-for-dialog.tsx'
import { answersKey } from './keys.ts'

type Props = { eventId: number; guest: GuestAnswer; onClose(): void }

/** A host moves somebody to the front of the waitlist, and says why. */
export const MoveUpDialog = ({ eventId: event_id, guest, onClose }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { error, isPending, mutate } = useMutation({
    mutationFn: (form: FormData) =>
      api.plans.moveUp({ event_id, user_id: guest.user.id, move_reason: formText(form, 'move_reason') }),
    onSuccess: () => {
      say(t('common.saved'))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: answersKey(event_id) }),
  })
  return (
    <Dialog open onClose={onClose} title={t('answer.moveUp')} about={nameOf(guest.user)}>
      <form onSubmit={useForm(mutate)} className="grid gap-4 pt-2">
        <FormProblem text={formError(error, ['move_reason'])} />
        <Field
          name="move_reason"
          label={t('answer.moveReason')}
          maxLength={200}
          dir="auto"
          required
          error={fieldError(error, 'move_reason')}
        />
        <Button type="submit" busy={isPending}>
          {t('answer.moveUp')}
        </Button>
      </form>
    </Dialog>
  )
}
