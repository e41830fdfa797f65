import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../app/net/client.ts'
import { deviceId } from '../../app/session.ts'
import { beginViewing, viewingBy } from '../../app/viewing.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { formError } from '../../ui/failure.ts'
import { formMaybe, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { OpenedLink } from './opened-link.ts'
import { PinField } from './pin-field.tsx'

type Props = { code: string; opened: OpenedLink }

/** The way in by a link that makes nobody a guest: at once, or with its PIN. */
export const LookIn = ({ code, opened }: Props) => {
  const { t } = useWords()
  const { link_kind: kind, link_pin_required: asksPin } = opened
  const look = useMutation({
    mutationFn: async (pin: string | null) => {
      const known = viewingBy(code)
      if (known) return known
      const given = await api.links.viewByLink({ code, pin, device_id: deviceId() })
      return {
        code,
        token: given.token,
        expiresAt: given.token_expiration,
        eventId: given.event_id,
        kind: kind === 'screen' ? ('screen' as const) : ('look' as const),
      }
    },
    onSuccess: beginViewing,
  })
  const { mutate, error } = look
  useEffect(() => {
    if (!asksPin) mutate(null)
  }, [asksPin, mutate])
  const onSubmit = useForm(form => mutate(formMaybe(form, 'pin')))
  if (!asksPin && !error)
    return (
      <div role="status" className="grid place-items-center text-ember">
        <Spinner className="size-7" />
        <span className="sr-only">{t('common.loading')}</span>
      </div>
    )
  return (
    <form onSubmit={onSubmit} className="grid grid-cols-1 gap-4 rounded-2xl border border-line bg-card p-4 shadow-card">
      <FormProblem text={formError(error, ['pin'])} />
      {asksPin && <PinField error={error} />}
      <Button type="submit" size="large" busy={look.isPending}>
        {asksPin ? t('links.show') : t('common.tryAgain')}
      </Button>
    </form>
  )
}
