import { ownZone, wallTime } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { DateTimeField, Field, TextField } from '../../ui/field.tsx'
import type { Event } from '../queries.ts'

/** This evening next week, as good a guess as any. */
const soon = () => {
  const day = new Date(Date.now() + 7 * 24 * 60 * 60_000)
  return wallTime(day, ownZone()).replace(/T.*/, 'T19:00')
}

type Props = { event: Event | undefined; clock: string; wrong(field: string): string | undefined }

/** What it is called, when and where it is, and what it is about. */
export const BasicFields = ({ event, clock, wrong }: Props) => {
  const { t } = useWords()
  const wall = (moment: string | null | undefined) => (moment ? wallTime(moment, clock) : '')
  return (
    <>
      <Field
        name="event_name"
        label={t('eventForm.name')}
        placeholder={t('eventForm.namePlaceholder')}
        defaultValue={event?.event_name}
        required
        maxLength={100}
        error={wrong('event_name')}
        dir="auto"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <DateTimeField
          name="event_starts_at"
          label={t('eventForm.starts')}
          defaultValue={event ? wall(event.event_starts_at) : soon()}
          required
          error={wrong('event_starts_at')}
        />
        <DateTimeField
          name="event_ends_at"
          label={t('eventForm.ends')}
          defaultValue={wall(event?.event_ends_at)}
          error={wrong('event_ends_at')}
        />
      </div>
      <Field
        name="event_location"
        label={t('eventForm.where')}
        placeholder={t('eventForm.wherePlaceholder')}
        defaultValue={event?.event_location ?? ''}
        maxLength={255}
        error={wrong('event_location')}
        dir="auto"
      />
      <TextField
        name="event_description"
        label={t('eventForm.about')}
        placeholder={t('eventForm.aboutPlaceholder')}
        defaultValue={event?.event_description ?? ''}
        maxLength={5000}
        error={wrong('event_description')}
        dir="auto"
      />
    </>
  )
}
