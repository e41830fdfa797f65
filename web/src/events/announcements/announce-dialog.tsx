import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { toggled } from '../../app/toggled.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { TextField } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { announcementsKey } from '../keys.ts'
import { AddedPictures } from './added-pictures.tsx'

/** As many as an announcement shows. */
const photosMax = 3

type Shown = { id: string; picture: ReactNode }
type Props = {
  eventId: number
  /** Thanks, with these photos of the album unless they are left out. */
  thanks?: readonly Shown[]
  onClose(): void
}

/** Where an organizer makes an announcement to everybody in the event. */
export const AnnounceDialog = ({ eventId, thanks, onClose }: Props) => {
  const { t } = useWords()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = (thanks ?? []).filter(({ id }) => !left.has(id))
  const [added, setAdded] = useState<readonly File[]>([])
  const room = photosMax - chosen.length
  const images = added.slice(0, room)
  const draft = useDraft(`${thanks ? 'thanks' : 'announcement'}.${eventId}`)
  const announce = useAnnouncing(eventId, { photos: chosen.map(({ id }) => Number(id)), images }, () => {
    draft.keep('')
    onClose()
  })
  const send = useForm(form => announce.mutate(formText(form, 'announcement_text')))
  return (
    <Dialog
      open
      title={thanks ? t('evening.thanks') : t('announce.title')}
      about={t('announce.about')}
      onClose={onClose}
    >
      <form ref={draft.form} onSubmit={send} className="grid gap-4 pt-2">
        <FormProblem text={formError(announce.error, ['announcement_text', 'image'])} />
        <TextField
          name="announcement_text"
          label={t('announce.label')}
          maxLength={500}
          dir="auto"
          required
          error={fieldError(announce.error, 'announcement_text')}
        />
        {thanks && thanks.length > 0 && (
          <AlbumPhotos photos={thanks} left={left} onToggle={id => setLeft(before => toggled(before, id))} />
        )}
        <AddedPictures added={images} room={room} onChange={setAdded} error={fieldError(announce.error, 'image')} />
        <Button type="submit" busy={announce.isPending}>
          {t('announce.act')}
        </Button>
      </form>
    </Dialog>
  )
}

type AlbumPhotosProps = { photos: readonly Shown[]; left: ReadonlySet<string>; onToggle(id: string): void }

/** The album's own, each of which may be left out. */
const AlbumPhotos = ({ photos, left, onToggle }: AlbumPhotosProps) => {
  const { t } = useWords()
  return (
    <fieldset className="grid grid-cols-3 gap-2">
      <legend className="pb-2 text-sm font-semibold">{t('announce.photos')}</legend>
      {photos.map(({ id, picture }) => (
        <button
          key={id}
          type="button"
          aria-pressed={!left.has(id)}
          onClick={() => onToggle(id)}
          className="relative aspect-square overflow-hidden rounded-xl border-3 border-transparent bg-sunken aria-pressed:border-ember not-aria-pressed:opacity-50"
        >
          {picture}
        </button>
      ))}
    </fieldset>
  )
}

type Pictures = { photos: readonly number[]; images: readonly File[] }

/** Makes an announcement with photos of the album, and with images that are added to it first. */
const useAnnouncing = (event_id: number, { photos, images }: Pictures, onDone: () => void) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (announcement_text: string) => {
      const event_photo_ids = [...photos]
      // Repeated after a refusal, the album answers with the photo that it has.
      for (const image of images) event_photo_ids.push(Number((await api.gallery.uploadPhoto({ event_id, image })).id))
      return api.announcements.makeAnnouncement({
        event_id,
        announcement_text,
        ...(event_photo_ids.length > 0 && { event_photo_ids }),
      })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: announcementsKey(event_id) })
      say(t('announce.done'))
      onDone()
    },
  })
}
