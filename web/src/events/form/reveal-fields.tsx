import { useState } from 'react'
import { wallTime } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { Choice, DateTimeField } from '../../ui/field.tsx'
import { formMaybe, formText } from '../../ui/form.ts'
import { Switch } from '../../ui/switch.tsx'
import type { Event } from '../queries.ts'

type Shown = Event['extra']['event_photos_shown']

export type RevealValues = {
  event_photos_shown: Shown
  event_reveals_at?: string | undefined
  event_organizers_see_photos?: boolean
}

/** As the form says it. */
export const revealOf = (form: FormData, moment: (text: string) => string): RevealValues => {
  const shown = formText(form, 'event_photos_shown') as Shown
  const at = formMaybe(form, 'event_reveals_at')
  return {
    event_photos_shown: shown,
    ...(shown === 'later' && at && { event_reveals_at: moment(at) }),
    ...(shown !== 'at_once' && { event_organizers_see_photos: form.has('event_organizers_see_photos') }),
  }
}

type Props = { event: Event | undefined; clock: string; wrong(field: string): string | undefined }

/** When everybody sees the photos. */
export const RevealFields = ({ event, clock, wrong }: Props) => {
  const { t } = useWords()
  const {
    event_photos_shown: before = 'at_once',
    event_reveals_at: at,
    event_organizers_see_photos,
  } = event?.extra ?? {}
  const [shown, setShown] = useState<Shown>(before)
  const [seen, setSeen] = useState(before !== 'at_once' && event_organizers_see_photos === true)
  return (
    <>
      <Choice
        name="event_photos_shown"
        label={t('reveal.label')}
        value={shown}
        error={wrong('event_photos_shown')}
        onChange={({ target }) => setShown(target.value as Shown)}
      >
        <option value="at_once">{t('reveal.atOnce')}</option>
        <option value="later">{t('reveal.later')}</option>
        <option value="never">{t('reveal.never')}</option>
      </Choice>
      {shown === 'later' && (
        <DateTimeField
          name="event_reveals_at"
          label={t('reveal.from')}
          hint={t('reveal.hint')}
          defaultValue={at ? wallTime(at, clock) : morningAfter(event, clock)}
          required
          error={wrong('event_reveals_at')}
        />
      )}
      {shown !== 'at_once' && (
        <Switch label={t('reveal.organizers')} name="event_organizers_see_photos" checked={seen} onChange={setSeen} />
      )}
    </>
  )
}

const morningAfter = (event: Event | undefined, clock: string) => {
  const start = event ? new Date(event.event_starts_at) : new Date(Date.now() + 7 * dayMs)
  return wallTime(new Date(start.getTime() + dayMs), clock).replace(/T.*/, 'T10:00')
}
const dayMs = 24 * 60 * 60_000
