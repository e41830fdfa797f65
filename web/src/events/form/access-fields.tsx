import { useWords } from '../../app/words.ts'
import { Choice, Field } from '../../ui/field.tsx'
import type { Event } from '../queries.ts'

type Props = { event: Event | undefined; wrong(field: string): string | undefined }

/** Who sees it and comes in, how many there is room for, and whose photos wait. */
export const AccessFields = ({ event, wrong }: Props) => {
  const { t } = useWords()
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Choice
          name="event_visibility"
          error={wrong('event_visibility')}
          label={t('eventForm.visibility')}
          defaultValue={event?.event_visibility ?? 3}
        >
          <option value={1}>{t('event.visibility.1')}</option>
          <option value={2}>{t('event.visibility.2')}</option>
          <option value={3}>{t('event.visibility.3')}</option>
        </Choice>
        <Choice
          name="event_join_mode"
          error={wrong('event_join_mode')}
          label={t('eventForm.joinMode')}
          defaultValue={event?.event_join_mode ?? 2}
        >
          <option value={1}>{t('event.joinMode.1')}</option>
          <option value={2}>{t('event.joinMode.2')}</option>
          <option value={3}>{t('event.joinMode.3')}</option>
        </Choice>
      </div>
      <Field
        name="event_places"
        type="number"
        inputMode="numeric"
        min={1}
        max={100_000}
        label={t('eventForm.places')}
        defaultValue={event?.extra.event_places ?? ''}
        error={wrong('event_places')}
      />
      <Choice
        name="event_album_for"
        error={wrong('event_album_for')}
        label={t('eventForm.albumFor')}
        defaultValue={event?.extra.album_for ?? 'everybody'}
      >
        <option value="everybody">{t('event.albumFor.everybody')}</option>
        <option value="coming">{t('event.albumFor.coming')}</option>
      </Choice>
      <Choice
        name="event_photo_approval"
        error={wrong('event_photo_approval')}
        label={t('eventForm.approval')}
        defaultValue={event?.extra.photo_approval ?? 'none'}
      >
        <option value="none">{t('event.approval.none')}</option>
        <option value="wall">{t('event.approval.wall')}</option>
        <option value="album">{t('event.approval.album')}</option>
      </Choice>
    </>
  )
}
