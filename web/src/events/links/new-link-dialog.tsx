import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { formMaybe, formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { KindChoice, kindIn } from './kind-choice.tsx'
import { type EventLink, linksQuery } from './links-queries.ts'

const dayMs = 24 * 60 * 60_000

type Props = { eventId: number; onMade(link: EventLink): void; onClose(): void }

export const NewLinkDialog = ({ eventId, onMade, onClose }: Props) => {
  const { t } = useWords()
  const make = useMaking(eventId, link => {
    onMade(link)
    onClose()
  })
  const fields = ['pin', 'max_uses', 'expires_at']
  return (
    <Dialog open onClose={onClose} title={t('links.new')} about={t('links.newAbout')}>
      <form onSubmit={useForm(make.mutate)} className="grid gap-4">
        <FormProblem text={formError(make.error, fields)} />
        <KindChoice />
        <Choice name="days" label={t('links.expires')} defaultValue="0" error={fieldError(make.error, 'expires_at')}>
          <option value="0">{t('links.never')}</option>
          <option value="1">{t('links.days', { count: 1 })}</option>
          <option value="7">{t('links.days', { count: 7 })}</option>
          <option value="30">{t('links.days', { count: 30 })}</option>
        </Choice>
        <Field
          name="max_uses"
          label={t('links.maxUses')}
          inputMode="numeric"
          error={fieldError(make.error, 'max_uses')}
        />
        <Field
          name="pin"
          label={t('links.pin')}
          hint={t('links.pinHint')}
          inputMode="numeric"
          autoComplete="off"
          error={fieldError(make.error, 'pin')}
        />
        <Button type="submit" size="large" busy={make.isPending}>
          {t('links.make')}
        </Button>
      </form>
    </Dialog>
  )
}

const useMaking = (event_id: number, onMade: (link: EventLink) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (form: FormData) => {
      const days = Number(formText(form, 'days'))
      return api.links.makeLink({
        event_id,
        ...kindIn(form),
        expires_at: days > 0 ? new Date(Date.now() + days * dayMs).toISOString() : null,
        max_uses: formMaybe(form, 'max_uses'),
        pin: formMaybe(form, 'pin'),
      })
    },
    onSuccess: async link => {
      await client.invalidateQueries({ queryKey: linksQuery(event_id).queryKey })
      onMade(link)
    },
  })
}
