import { useMutation } from '@tanstack/react-query'
import { api, statusOf } from '../../app/net/client.ts'
import { newSecret } from '../../app/secret.ts'
import { thisDevice } from '../../app/session.ts'
import { type AskedReturn, forgetAskedReturn, saveAskedReturn } from '../../app/storage/return-requests.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/failure.ts'
import { formMaybe, formText } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'

type Props = {
  code: string
  eventId: number
  form: FormData
  onAsked(asked: AskedReturn): void
  /** It is somebody else of that name. */
  onNew(): void
  onClose(): void
}

/** Somebody of this name is there: a returning guest does not join twice. */
export const NamesakeDialog = ({ code, eventId, form, onAsked, onNew, onClose }: Props) => {
  const { t } = useWords()
  const name = [formText(form, 'user_first_name'), formText(form, 'user_last_name')].join(' ').trim()
  const ask = useMutation({
    mutationFn: async (asked: AskedReturn) => {
      const { device_id, user_device_platform } = thisDevice()
      // Before it is sent: if the answer is lost, the next attempt asks for the same.
      saveAskedReturn(code, asked)
      await api.returns.askToReturn({
        code,
        pin: formMaybe(form, 'pin'),
        user_first_name: formText(form, 'user_first_name'),
        user_last_name: formMaybe(form, 'user_last_name'),
        return_code: asked.returnCode,
        device_id,
        user_device_platform,
      })
    },
    onSuccess: (_, asked) => onAsked(asked),
    onError: error => statusOf(error) === 400 && forgetAskedReturn(code),
  })
  return (
    <Dialog open onClose={onClose} title={t('returning.title', { name })} about={t('returning.about')}>
      <div className="grid grid-cols-1 gap-2">
        <FormProblem text={ask.error ? reasonOf(ask.error) : undefined} />
        <Button
          size="large"
          busy={ask.isPending}
          onClick={() => ask.mutate({ returnCode: newSecret(), name, eventId })}
        >
          {t('returning.yes')}
        </Button>
        <Button look="quiet" size="large" onClick={onNew}>
          {t('returning.no')}
        </Button>
      </div>
    </Dialog>
  )
}
