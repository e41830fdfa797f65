import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { wallTime } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DateTimeField, Field } from '../../ui/field.tsx'
import { formText } from '../../ui/form.ts'
import type { Event } from '../queries.ts'

const entriesMax = 50
const fields = ['programme_starts_at', 'programme_ends_at', 'programme_title', 'programme_place'] as const
type Name = (typeof fields)[number]

/** What the service may say is wrong with a programme. */
export const programmeNames = [
  'event_programme',
  ...Array.from({ length: entriesMax }, (_, n) => fields.map(field => `event_programme.${n}.${field}`)).flat(),
]

/** As the form says it. */
export const programmeOf = (form: FormData, moment: (text: string) => string) => {
  const all = (field: Name) => form.getAll(field).map(text => String(text).trim())
  const [ends, titles, places] = [all('programme_ends_at'), all('programme_title'), all('programme_place')]
  return all('programme_starts_at').map((starts, at) => ({
    programme_starts_at: moment(starts),
    programme_ends_at: ends[at] ? moment(ends[at]) : null,
    programme_title: titles[at] ?? '',
    programme_place: places[at] || null,
  }))
}

type Props = { event: Event | undefined; clock: string; wrong(field: string): string | undefined }
type Entry = Event['extra']['event_programme'][number]

/** What happens when, an entry at a time. */
export const ProgrammeFields = ({ event, clock, wrong }: Props) => {
  const { t } = useWords()
  const before = event?.extra.event_programme ?? []
  const [rows, setRows] = useState<{ key: number; entry?: Entry; start?: string }[]>(
    before.map((entry, key) => ({ key, entry })),
  )
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 text-sm font-semibold">{t('programme.title')}</legend>
      {rows.map(({ key, entry, start = '' }, at) => (
        <EntryFields
          key={key}
          {...{ entry, start, clock }}
          wrong={field => wrong(`event_programme.${at}.${field}`)}
          onRemove={() => setRows(rows.filter(each => each.key !== key))}
        />
      ))}
      {rows.length < entriesMax && (
        <Button
          look="quiet"
          className="justify-self-start"
          icon={<Plus className="size-5" aria-hidden="true" />}
          onClick={({ currentTarget: { form } }) => {
            const start = form ? formText(new FormData(form), 'event_starts_at') : ''
            setRows([...rows, { key: Math.max(-1, ...rows.map(each => each.key)) + 1, start }])
          }}
        >
          {t('programme.add')}
        </Button>
      )}
      {wrong('event_programme') && <p className="text-sm font-medium text-bad">{wrong('event_programme')}</p>}
    </fieldset>
  )
}

type EntryProps = Pick<Props, 'clock'> & {
  entry: Entry | undefined
  /** When its event begins, as far as the form says so. */
  start: string
  wrong(field: Name): string | undefined
  onRemove(): void
}

const EntryFields = ({ entry, start, clock, wrong, onRemove }: EntryProps) => {
  const { t } = useWords()
  const wall = (moment: string | null | undefined) => (moment ? wallTime(moment, clock) : '')
  return (
    <div className="grid grid-cols-1 gap-3 rounded-2xl border border-line bg-card p-3 sm:grid-cols-2">
      <div className="flex items-end gap-1 sm:col-span-2 [&>div]:min-w-0 [&>div]:flex-1">
        <Field
          name="programme_title"
          label={t('programme.what')}
          defaultValue={entry?.programme_title}
          required
          maxLength={200}
          dir="auto"
          error={wrong('programme_title')}
        />
        <IconButton label={t('programme.remove')} onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <DateTimeField
        name="programme_starts_at"
        label={t('programme.starts')}
        defaultValue={entry ? wall(entry.programme_starts_at) : start}
        required
        error={wrong('programme_starts_at')}
      />
      <DateTimeField
        name="programme_ends_at"
        label={t('programme.ends')}
        defaultValue={wall(entry?.programme_ends_at)}
        error={wrong('programme_ends_at')}
      />
      <Field
        name="programme_place"
        label={t('programme.where')}
        defaultValue={entry?.programme_place ?? ''}
        maxLength={255}
        dir="auto"
        className="sm:col-span-2"
        error={wrong('programme_place')}
      />
    </div>
  )
}
