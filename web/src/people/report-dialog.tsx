import { useMutation } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { useDraft } from '../ui/draft.ts'
import { fieldError, sayFailure } from '../ui/failure.ts'
import { TextField } from '../ui/field.tsx'
import { formText, useForm } from '../ui/form.ts'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import type { Target } from './report-target.ts'

type Props = { target: Target; onClose(): void }

/** Reports a problem to those who may do something about it. */
export const ReportDialog = ({ target: { type, id }, onClose }: Props) => {
  const { t } = useWords()
  const draft = useDraft(`report.${type}.${id}`)
  const report = useMutation({
    mutationFn: (form: FormData) =>
      api.people.report({ report_type: type, report_id: id, report_reason: formText(form, 'reason') }),
    onSuccess: () => {
      draft.keep('')
      say(t('report.done'))
      onClose()
    },
    onError: error => fieldError(error, 'report_reason') || sayFailure(error),
  })
  const about = type === 'user' || type === 'event' ? t('report.about') : t('report.aboutInEvent')
  return (
    <Dialog open onClose={onClose} title={t('report.title')} about={about}>
      <form ref={draft.form} onSubmit={useForm(report.mutate)} className="grid gap-4">
        <TextField
          name="reason"
          label={t('report.reason')}
          required
          maxLength={2000}
          error={fieldError(report.error, 'report_reason')}
          dir="auto"
        />
        <Button type="submit" busy={report.isPending}>
          {t('report.act')}
        </Button>
      </form>
    </Dialog>
  )
}
