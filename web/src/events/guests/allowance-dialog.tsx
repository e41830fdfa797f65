import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { formMaybe, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Event, Guest } from '../queries.ts'

type Props = { event: Event; guest?: Pick<Guest, 'user'>; onClose(): void }

/** How many photos every guest may add, or one of them. */
export const AllowanceDialog = ({ event, guest, onClose }: Props) => {
  const { t } = useWords()
  const { now, save } = useAllowance({ event_id: event.id, ...(guest && { user_id: guest.user.id }) }, onClose)
  const [trusts, setTrusts] = useState<boolean>()
  const send = useForm(form =>
    save.mutate({
      photos_max: formMaybe(form, 'photos_max'),
      ...(guest && trusts !== undefined && { trusted: trusts }),
    }),
  )
  const { data } = now
  return (
    <Dialog
      open
      title={guest ? t('allowance.person', { name: nameOf(guest.user) }) : t('allowance.title')}
      about={guest && data ? t('allowance.added', { count: data.photos_count }) : t('allowance.about')}
      onClose={onClose}
    >
      {data ? (
        <form onSubmit={send} className="grid gap-4 pt-2">
          <FormProblem text={formError(save.error, ['photos_max'])} />
          <Field
            name="photos_max"
            type="number"
            inputMode="numeric"
            min={0}
            max={100_000}
            label={t('allowance.label')}
            hint={t('allowance.hint')}
            placeholder={String(data.photos_max)}
            defaultValue={(guest ? data.person_photos_max : data.event_photos_max) ?? ''}
            error={fieldError(save.error, 'photos_max')}
          />
          {guest && event.extra.photo_approval !== 'none' && (
            <Switch label={t('allowance.trusted')} checked={trusts ?? data.trusted} onChange={setTrusts} />
          )}
          <Button type="submit" busy={save.isPending}>
            {t('common.save')}
          </Button>
        </form>
      ) : now.isError ? (
        <FormProblem text={formError(now.error, [])} />
      ) : (
        <SkeletonRows rows={1} />
      )}
    </Dialog>
  )
}

/** Of everybody in an event, or of one person. */
const useAllowance = (whose: { event_id: number; user_id?: number }, onSaved: () => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  const now = useQuery({
    queryKey: ['allowance', whose.event_id, whose.user_id ?? null],
    queryFn: ({ signal }) => api.gallery.readAllowance(whose, { signal }),
    staleTime: 0,
  })
  const save = useMutation({
    mutationFn: (wish: { photos_max: string | null; trusted?: boolean }) =>
      api.gallery.allowPhotos({ ...whose, ...wish }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['allowance', whose.event_id] })
      say(t('common.saved'))
      onSaved()
    },
  })
  return { now, save }
}
