import { useEffect, useRef, useState } from 'react'
import { spanOf } from '../../app/date-format.ts'
import { momentOf, ownZone } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { fieldError, formError } from '../../ui/failure.ts'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isGenerated } from '../event-picture.tsx'
import { zoneOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import { AccessFields } from './access-fields.tsx'
import { BasicFields } from './basic-fields.tsx'
import { differing, type EventFields, type EventValues, valuesIn } from './event-values.ts'
import { apart, followStart } from './following-times.ts'
import { ProgrammeFields, programmeNames } from './programme-fields.tsx'
import { RevealFields } from './reveal-fields.tsx'

type Props = {
  event?: Event
  act: string
  busy: boolean
  error: unknown
  /** What somebody else has made of the event since it was read. */
  theirs?: Partial<EventValues> | undefined
  onSave(fields: EventFields): void
}

const names = [
  ...['event_name', 'event_description', 'event_starts_at', 'event_ends_at', 'event_location', 'event_avatar'],
  ...['event_timezone', 'event_places', 'event_reveals_at', ...programmeNames],
]

/** What the form says, with its times as they are apart from the beginning. */
const readOf = (form: FormData) => {
  const start = formText(form, 'event_starts_at')
  return { ...valuesIn(form, apart(start)), event_starts_at: start }
}

export const EventForm = ({ event, act, busy, error, theirs = {}, onSave }: Props) => {
  const { t } = useWords()
  const clock = event ? zoneOf(event) : ownZone()
  const form = useRef<HTMLFormElement>(null)
  const untouched = useRef<EventFields>({})
  useEffect(() => {
    if (form.current) untouched.current = readOf(new FormData(form.current))
  }, [])
  const [picture, setPicture] = useState<File>()
  const [asked, setAsked] = useState<EventFields>()
  const save = (data: FormData) => {
    const all = valuesIn(data, wall => momentOf(wall, clock).toISOString())
    const changed = differing(readOf(data), event ? untouched.current : {})
    const fields: EventFields = {
      ...Object.fromEntries(changed.map(name => [name, all[name as keyof EventValues]])),
      ...(!event && { event_timezone: clock }),
      ...(picture && { event_avatar: picture }),
    }
    const reveals = fields.event_reveals_at
    if (reveals && (reveals < all.event_starts_at || new Date(reveals) < new Date())) setAsked(fields)
    else onSave(fields)
  }
  const said = (field: keyof EventValues) => {
    const value = theirs[field]
    const control = form.current?.elements.namedItem(field)
    if (control instanceof HTMLSelectElement)
      return [...control.options].find(each => each.value === String(value))?.text
    if (Array.isArray(value)) return value.map(entry => entry.programme_title).join(', ') || '–'
    return field.endsWith('_at') && value ? spanOf(String(value), null, clock) : String(value || '–')
  }
  const wrong = (field: string) =>
    fieldError(error, field) ??
    (field in theirs ? t('eventForm.theirs', { value: said(field as keyof EventValues) ?? '' }) : undefined)
  return (
    <form
      ref={form}
      onSubmit={useForm(save)}
      onInput={followStart}
      className="mx-auto grid grid-cols-1 max-w-2xl gap-5 px-4 py-5"
    >
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
      <FormSwitch
        name="event_attachments_to_album"
        label={t('eventForm.album')}
        hint={t('eventForm.albumHint')}
        on={event?.extra.attachments_to_album ?? true}
      />
      <FormSwitch
        name="event_guests_may_share"
        label={t('eventForm.share')}
        on={event?.extra.guests_may_share ?? true}
      />
      <FormSwitch
        name="event_greetings_on_wall"
        label={t('eventForm.greetings')}
        on={event?.extra.greetings_on_wall ?? false}
      />
      <FormSwitch
        name="event_page_lives"
        label={t('eventForm.lives')}
        hint={t('eventForm.livesHint')}
        on={event?.extra.page_lives ?? true}
      />
      <FormSwitch
        name="event_announcements_in_chat"
        label={t('eventForm.announcesInChat')}
        on={event?.extra.event_announcements_in_chat ?? true}
      />
      <FormSwitch
        name="event_asks_for_photos"
        label={t('eventForm.asksForPhotos')}
        on={event?.extra.event_asks_for_photos ?? true}
      />
      <Button type="submit" size="large" busy={busy}>
        {act}
      </Button>
      <Confirm
        open={asked !== undefined}
        title={t('reveal.early')}
        about={t('reveal.earlyMore')}
        act={act}
        tone="plain"
        onClose={() => setAsked(undefined)}
        onAct={() => asked && onSave(asked)}
      />
    </form>
  )
}

const FormSwitch = ({ on, ...shown }: { name: string; label: string; hint?: string; on: boolean }) => {
  const [checked, setChecked] = useState(on)
  return <Switch {...shown} checked={checked} onChange={setChecked} />
}
