import { AfterglowError } from '@afterglow/sdk/methods'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { TextField } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say } from '../../ui/layers/toasts.ts'

const field = 'user_emails'
const addressesIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

type Props = { eventId: number; onClose(): void }

/** Mails each address a link of its own. */
export const ByMailDialog = ({ eventId, onClose }: Props) => {
  const { t } = useWords()
  const draft = useDraft(`invite.${eventId}`, useRef(null))
  const invite = useMutation({
    mutationFn: (addresses: string[]) => api.events.invite({ event_id: eventId, user_emails: addresses }),
    onSuccess: ({ invited_count: count }) => {
      draft.keep('')
      say(t('invite.mailed', { count }))
      onClose()
    },
  })
  const refused = Object.keys(invite.error instanceof AfterglowError ? invite.error.fields : {})
  /** Which address is refused, if it is one of several. */
  const wrong = refused.find(name => name.startsWith(`${field}.`))
  const address = wrong && invite.variables?.[Number(wrong.slice(field.length + 1))]
  const error = wrong ? `${address}: ${fieldError(invite.error, wrong)}` : fieldError(invite.error, field)
  return (
    <Dialog open onClose={onClose} title={t('invite.byMail')} about={t('invite.mailAbout')}>
      <form
        ref={draft.form}
        onSubmit={useForm(form => invite.mutate(addressesIn(formText(form, field))))}
        className="grid gap-4"
      >
        <FormProblem text={formError(invite.error, refused)} />
        <TextField
          name={field}
          label={t('invite.addresses')}
          hint={t('invite.addressesHint')}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          required
          error={error}
        />
        <Button type="submit" size="large" busy={invite.isPending}>
          {t('invite.sendMail')}
        </Button>
      </form>
    </Dialog>
  )
}
