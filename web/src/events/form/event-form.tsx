import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { momentOf, ownZone } from '../../app/zoned.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { formMaybe, formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isGenerated } from '../event-picture.tsx'
import { zoneOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import { AccessFields } from './access-fields.tsx'
import { BasicFields } from './basic-fields.tsx'
import { ProgrammeFields, programmeNames, programmeOf } from './programme-fields.tsx'
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
  event_announcements_in_chat: boolean
  event_asks_for_photos: boolean
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
/** As the form says it. */
const fieldsOf = (form: FormData, moment: (text: string) => string) => {
  const ends = formMaybe(form, 'event_ends_at')
  return {
    event_name: formText(form, 'event_name'),
    event_description: formMaybe(form, 'event_description'),
    event_starts_at: moment(formText(form, 'event_starts_at')),
    event_ends_at: ends && moment(ends),
    event_location: formMaybe(form, 'event_location'),
    event_visibility: Number(formText(form, 'event_visibility')),
    event_join_mode: Number(formText(form, 'event_join_mode')),
    event_places: Number(formText(form, 'event_places') || 0),
    event_album_for: formText(form, 'event_album_for') as EventFields['event_album_for'],
    event_photo_approval: formText(form, 'event_photo_approval') as EventFields['event_photo_approval'],
    event_programme: programmeOf(form, moment),
    ...revealOf(form, moment),
  }
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
  const [announces, setAnnounces] = useState(event?.extra.event_announcements_in_chat ?? true)
  const [asks, setAsks] = useState(event?.extra.event_asks_for_photos ?? true)
  const moment = (text: string) => momentOf(text, clock).toISOString()
  const save = (form: FormData) =>
    onSave({
      ...fieldsOf(form, moment),
      event_timezone: zone,
      event_attachments_to_album: album,
      event_guests_may_share: share,
      event_greetings_on_wall: greetings,
      event_page_lives: lives,
      event_announcements_in_chat: announces,
      event_asks_for_photos: asks,
      ...(picture && { event_avatar: picture }),
    })
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
      <Switch label={t('eventForm.announcesInChat')} checked={announces} onChange={setAnnounces} />
      <Switch label={t('eventForm.asksForPhotos')} checked={asks} onChange={setAsks} />
      <Button type="submit" size="large" busy={busy}>
        {act}
      </Button>
    </form>
  )
}
