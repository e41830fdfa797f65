import { MapPin, SlidersHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { spanOf } from '../../app/date-format.ts'
import { useLayer } from '../../app/router/history.ts'
import type { Target } from '../../app/router/router.tsx'
import { momentOf, ownZone } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { fieldError, formError } from '../../ui/failure.ts'
import { Field, TextField } from '../../ui/field.tsx'
import { formText, useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { zoneOf } from '../event-words.ts'
import type { Event } from '../queries.ts'
import { CoverField } from './cover-field.tsx'
import { differing, type EventFields, type EventValues, valuesIn } from './event-values.ts'
import { apart, followStart } from './following-times.ts'
import { programmeNames } from './programme-fields.tsx'
import { SettingsFields, settingsNames } from './settings-fields.tsx'
import { WhenField } from './when-field.tsx'

type Props = {
  event?: Event
  title: string
  act: string
  back: Target
  busy: boolean
  error: unknown
  /** What somebody else has made of the event since it was read. */
  theirs?: Partial<EventValues> | undefined
  /** Shown first are its settings. */
  settingsFirst?: boolean
  onSave(fields: EventFields): void
}

const timeNames = ['event_starts_at', 'event_ends_at', ...programmeNames]
const names = [
  ...['event_name', 'event_description', 'event_location', 'event_avatar', 'event_theme', 'event_timezone'],
  ...timeNames,
  ...settingsNames,
]

/** What the form says, with its times as they are apart from the beginning. */
const readOf = (form: FormData) => {
  const start = formText(form, 'event_starts_at')
  return { ...valuesIn(form, apart(start)), event_starts_at: start }
}

/** Where an event, or what is changed of one, is kept until it is saved. */
export const eventDraft = (event?: { id: number }) => (event ? `event.${event.id}` : 'event')

/** The event's card, filled in where it is read; its rules are on a second page of the same form. */
export const EventForm = ({ event, title, act, back, settingsFirst = false, ...sending }: Props) => {
  const { t } = useWords()
  const { busy, error, theirs = {}, onSave } = sending
  const clock = event ? zoneOf(event) : ownZone()
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraft(eventDraft(event), form)
  const untouched = useRef<EventFields>({})
  useLayoutEffect(() => {
    if (form.current) untouched.current = readOf(new FormData(form.current))
  }, [])
  const [picture, setPicture] = useState<File>()
  const [asked, setAsked] = useState<EventFields>()
  const [named, setNamed] = useState(event !== undefined)
  const { settings, setSettings, times, setTimes, reveal } = useHiddenPages(event !== undefined, settingsFirst)
  const save = (data: FormData) => {
    if (settings && !event) return setSettings(false)
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
  const wrongNames = names.filter(wrong).join(' ')
  useEffect(() => reveal(wrongNames.split(' ').filter(Boolean)), [reveal, wrongNames])
  return (
    <>
      <PageHeader
        title={settings ? t('eventForm.settings') : title}
        {...(settings ? { onBack: () => setSettings(false) } : { back })}
        actions={
          !settings && (
            <Button
              look="bare"
              size="small"
              icon={<SlidersHorizontal className="size-4.5" aria-hidden="true" />}
              onClick={() => setSettings(true)}
            >
              {t('eventForm.settings')}
            </Button>
          )
        }
      />
      <form
        ref={draft.form}
        onSubmit={useForm(save)}
        onInput={typed => {
          followStart(typed)
          setNamed(formText(new FormData(typed.currentTarget), 'event_name').trim() !== '')
        }}
        onInvalidCapture={({ target }: FormEvent) =>
          reveal([(target as HTMLInputElement).name], target as HTMLInputElement)
        }
        className="mx-auto grid max-w-2xl grid-cols-1 gap-4 px-4 py-4"
      >
        <FormProblem text={formError(error, names)} />
        <div hidden={settings} className="overflow-hidden rounded-2xl border border-line bg-card shadow-card">
          <CoverField event={event} error={wrong('event_avatar')} onChoose={setPicture} />
          <div className="grid grid-cols-1 gap-3 p-4">
            <Field
              name="event_name"
              label={t('eventForm.name')}
              hideLabel
              placeholder={t('eventForm.namePlaceholder')}
              defaultValue={event?.event_name}
              required
              maxLength={100}
              error={wrong('event_name')}
              dir="auto"
              className={`${written} h-14! font-display text-2xl font-semibold max-[22rem]:text-xl`}
            />
            <WhenField {...{ event, clock, wrong }} open={times} onOpen={() => setTimes(!times)} />
            <div className="grid grid-cols-[auto_1fr] items-center gap-x-3">
              <MapPin className="size-5 text-ember" aria-hidden="true" />
              <Field
                name="event_location"
                label={t('eventForm.where')}
                hideLabel
                placeholder={t('eventForm.where')}
                defaultValue={event?.event_location ?? ''}
                maxLength={255}
                error={wrong('event_location')}
                dir="auto"
                className={written}
              />
            </div>
            <TextField
              name="event_description"
              label={t('eventForm.about')}
              hideLabel
              placeholder={t('eventForm.about')}
              defaultValue={event?.event_description ?? ''}
              maxLength={5000}
              error={wrong('event_description')}
              dir="auto"
              className={written}
            />
          </div>
        </div>
        <div hidden={!settings} className="grid grid-cols-1 gap-4">
          <SettingsFields event={event} clock={clock} wrong={wrong} />
        </div>
        <div className="sticky bottom-[calc(4.75rem+var(--pill)+env(safe-area-inset-bottom))] z-10 mx-auto grid w-full max-w-[26rem] rounded-full bg-paper lg:bottom-5">
          <Button type="submit" size="large" busy={busy} disabled={!named && !settings}>
            {settings && !event ? t('eventForm.done') : act}
          </Button>
        </div>
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
    </>
  )
}

/** As on the card, without the frame of a field until it is typed in. */
const written = 'border-transparent bg-transparent! px-1! hover:bg-hover!'

const isSetting = (name: string) => (settingsNames as readonly string[]).includes(name)
const isTime = (name: string) => timeNames.includes(name) || name.startsWith('programme_')

/** Whether the settings or the times are open, and opening them where something in them is wrong. */
const useHiddenPages = (timesFirst: boolean, settingsFirst: boolean) => {
  const [settings, setSettings] = useState(settingsFirst)
  const [times, setTimes] = useState(timesFirst)
  useLayer(() => setSettings(false), settings)
  const [reveal] = useState(() => (wrong: readonly string[], field?: HTMLInputElement) => {
    // What is not to be seen gets no focus.
    if (field?.offsetParent || wrong.length === 0) return
    if (wrong.some(isTime)) setTimes(true)
    setSettings(wrong.every(isSetting))
    if (field) setTimeout(() => field.focus())
  })
  return { settings, setSettings, times, setTimes, reveal }
}
