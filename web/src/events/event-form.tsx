import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { momentOf, ownZone, wallTime } from '../app/zoned.ts'
import { Button } from '../ui/button.tsx'
import { fieldError, formError } from '../ui/failure.ts'
import { Choice, Field, TextField } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { PictureField } from '../ui/pictures/picture-field.tsx'
import { Switch } from '../ui/switch.tsx'
import { isGenerated } from './event-picture.tsx'
import { zoneOf } from './event-words.ts'
import { ProgrammeFields, programmeNames, programmeOf } from './programme-fields.tsx'
import type { Event } from './queries.ts'
import { RevealFields, type RevealValues, revealOf } from './reveal-fields.tsx'

export type EventFields = RevealValues & {
  event_name: string
  event_description: string | null
  event_starts_at: string
  event_ends_at: string | null
  event_timezone: string
  event_location: string | null
  event_visibility: number
  event_join_mode: number
  event_attachments_to_album: boolean
  event_guests_may_share: boolean
  event_greetings_on_wall: boolean
  event_page_lives: boolean
  event_places: number
  event_album_for: Event['extra']['album_for']
  event_photo_approval: Event['extra']['photo_approval']
  event_programme: ReturnType<typeof programmeOf>
  event_avatar?: File
}

type Props = { event?: Event; act: string; busy: boolean; error: unknown; onSave(fields: EventFields): void }

const names = [
  'event_name',
  'event_description',
  'event_starts_at',
  'event_ends_at',
  'event_location',
  'event_avatar',
  'event_timezone',
  'event_places',
  'event_reveals_at',
  ...programmeNames,
]
/** This evening next week, as good a guess as any. */
const soon = () => {
  const day = new Date(Date.now() + 7 * 24 * 60 * 60_000)
  return wallTime(day, ownZone()).replace(/T.*/, 'T19:00')
}

export const EventForm = ({ event, act, busy, error, onSave }: Props) => {
  const { t } = useWords()
  const zone = event?.event_timezone ?? ownZone()
  const clock = event ? zoneOf(event) : zone
  const [picture, setPicture] = useState<File>()
  const [album, setAlbum] = useState(event?.extra.attachments_to_album ?? true)
  const [share, setShare] = useState(event?.extra.guests_may_share ?? true)
  const [greetings, setGreetings] = useState(event?.extra.greetings_on_wall ?? false)
  const [lives, setLives] = useState(event?.extra.page_lives ?? true)
  const moment = (text: string) => momentOf(text, clock).toISOString()
  const save = (form: FormData) => {
    const ends = formMaybe(form, 'event_ends_at')
    onSave({
      event_name: formText(form, 'event_name'),
      event_description: formMaybe(form, 'event_description'),
      event_starts_at: moment(formText(form, 'event_starts_at')),
      event_ends_at: ends && moment(ends),
      event_timezone: zone,
      event_location: formMaybe(form, 'event_location'),
      event_visibility: Number(formText(form, 'event_visibility')),
      event_join_mode: Number(formText(form, 'event_join_mode')),
      event_attachments_to_album: album,
      event_guests_may_share: share,
      event_greetings_on_wall: greetings,
      event_page_lives: lives,
      event_places: Number(formText(form, 'event_places') || 0),
      event_album_for: formText(form, 'event_album_for') as EventFields['event_album_for'],
      event_photo_approval: formText(form, 'event_photo_approval') as EventFields['event_photo_approval'],
      event_programme: programmeOf(form, moment),
      ...revealOf(form, moment),
      ...(picture && { event_avatar: picture }),
    })
  }
  const wrong = (field: string) => fieldError(error, field)
  return (
    <form onSubmit={useForm(save)} className="mx-auto grid grid-cols-1 max-w-2xl gap-5 px-4 py-5">
      <PictureField
        label={t('eventForm.picture')}
        shown={event && !isGenerated(event) ? `${event.event_avatar_url}&w=1280` : undefined}
        error={wrong('event_avatar')}
        onChoose={setPicture}
      />
      <FormProblem text={formError(error, names)} />
      <BasicFields {...{ event, clock, wrong }} />
      <ProgrammeFields event={event} clock={clock} wrong={wrong} />
      <AccessFields {...{ event, wrong }} />
      <RevealFields event={event} clock={clock} wrong={wrong} />
      <Switch label={t('eventForm.album')} hint={t('eventForm.albumHint')} checked={album} onChange={setAlbum} />
      <Switch label={t('eventForm.share')} checked={share} onChange={setShare} />
      <Switch label={t('eventForm.greetings')} checked={greetings} onChange={setGreetings} />
      <Switch label={t('eventForm.lives')} hint={t('eventForm.livesHint')} checked={lives} onChange={setLives} />
      <Button type="submit" size="large" busy={busy}>
        {act}
      </Button>
    </form>
  )
}

type FieldsProps = { event: Event | undefined; wrong(field: string): string | undefined }

/** What it is called, when and where it is, and what it is about. */
const BasicFields = ({ event, clock, wrong }: FieldsProps & { clock: string }) => {
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
        <Field
          name="event_starts_at"
          type="datetime-local"
          label={t('eventForm.starts')}
          defaultValue={event ? wall(event.event_starts_at) : soon()}
          required
          max="9999-12-31T23:59"
          error={wrong('event_starts_at')}
        />
        <Field
          name="event_ends_at"
          type="datetime-local"
          label={t('eventForm.ends')}
          defaultValue={wall(event?.event_ends_at)}
          max="9999-12-31T23:59"
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

/** Who sees it and comes in, how many there is room for, and whose photos wait. */
const AccessFields = ({ event, wrong }: FieldsProps) => {
  const { t } = useWords()
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Choice name="event_visibility" label={t('eventForm.visibility')} defaultValue={event?.event_visibility ?? 3}>
          <option value={1}>{t('event.visibility.1')}</option>
          <option value={2}>{t('event.visibility.2')}</option>
          <option value={3}>{t('event.visibility.3')}</option>
        </Choice>
        <Choice name="event_join_mode" label={t('eventForm.joinMode')} defaultValue={event?.event_join_mode ?? 2}>
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
        label={t('eventForm.albumFor')}
        defaultValue={event?.extra.album_for ?? 'everybody'}
      >
        <option value="everybody">{t('event.albumFor.everybody')}</option>
        <option value="coming">{t('event.albumFor.coming')}</option>
      </Choice>
      <Choice
        name="event_photo_approval"
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
