import { useMutation, useQueryClient } from '@tanstack/react-query'
import { applyChanges } from '../../app/cache/change.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { TextField } from '../../ui/field.tsx'
import { formMaybe, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import type { Photo } from '../queries.ts'
import { onGalleryEvent } from '../reducer.ts'

const fields = ['event_photo_caption', 'event_photo_alt_text'] as const

/** The caption and description of the viewer's photo. */
export const DescribeForm = ({ photo, onDone }: { photo: Photo; onDone(): void }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const words = photo.extra.new_words ?? photo.extra
  const draft = useDraft(`caption.${photo.id}`)
  const done = () => {
    draft.keep('')
    onDone()
  }
  const save = useMutation({
    mutationFn: (words: { event_photo_caption: string | null; event_photo_alt_text: string | null }) =>
      api.gallery.captionPhoto({ event_photo_id: photo.id, ...words }),
    onSuccess: changed => {
      applyChanges(client, onGalleryEvent({ kind: 'photo.updated', payload: changed }, changed.taken_by.id))
      done()
    },
  })
  const send = useForm(form =>
    save.mutate({
      event_photo_caption: formMaybe(form, 'event_photo_caption'),
      event_photo_alt_text: formMaybe(form, 'event_photo_alt_text'),
    }),
  )
  return (
    <form ref={draft.form} onSubmit={send} className="grid gap-4 border-b border-line p-4">
      <FormProblem text={formError(save.error, fields)} />
      <TextField
        name="event_photo_caption"
        label={t('photo.caption')}
        defaultValue={words.caption ?? ''}
        maxLength={2000}
        rows={2}
        dir="auto"
        error={fieldError(save.error, 'event_photo_caption')}
      />
      <TextField
        name="event_photo_alt_text"
        label={t('photo.alt')}
        hint={t('photo.altHint')}
        defaultValue={words.alt_text ?? ''}
        maxLength={1000}
        rows={2}
        dir="auto"
        error={fieldError(save.error, 'event_photo_alt_text')}
      />
      <div className="flex justify-end gap-2">
        <Button look="quiet" size="small" onClick={done}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" size="small" busy={save.isPending}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}
