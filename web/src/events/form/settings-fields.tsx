import { type ReactNode, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { AllowanceDialog } from '../guests/allowance-dialog.tsx'
import type { Event } from '../queries.ts'
import { RevealFields } from './reveal-fields.tsx'

type Props = { event: Event | undefined; clock: string; wrong(field: string): string | undefined }

/** What the service may say is wrong with them. */
export const settingsNames = [
  ...[
    'event_visibility',
    'event_join_mode',
    'event_places',
    'event_plus_ones_max',
    'event_album_for',
    'event_photo_approval',
  ],
  ...['event_photos_shown', 'event_reveals_at'],
] as const

/** Every rule of an event as a question, with the answer that suits most. */
export const SettingsFields = ({ event, clock, wrong }: Props) => {
  const { t } = useWords()
  const { extra } = event ?? {}
  return (
    <>
      <Group title={t('eventForm.group.who')}>
        <Question
          name="event_visibility"
          label={t('eventForm.visibility')}
          answers={[1, 2, 3].map(each => [each, t(`event.visibility.${each as 1}`)])}
          before={event?.event_visibility ?? 2}
          wrong={wrong}
        />
        <Question
          name="event_join_mode"
          label={t('eventForm.joinMode')}
          hint={t('eventForm.joinModeHint')}
          answers={[1, 2, 3].map(each => [each, t(`event.joinMode.${each as 1}`)])}
          before={event?.event_join_mode ?? 2}
          wrong={wrong}
        />
        <Field
          name="event_places"
          type="number"
          inputMode="numeric"
          min={1}
          max={100_000}
          label={t('eventForm.places')}
          placeholder={t('eventForm.placesNone')}
          defaultValue={extra?.event_places ?? ''}
          error={wrong('event_places')}
        />
        <Field
          name="event_plus_ones_max"
          type="number"
          inputMode="numeric"
          min={0}
          max={20}
          label={t('eventForm.plusOnes')}
          defaultValue={extra?.event_plus_ones_max ?? 20}
          error={wrong('event_plus_ones_max')}
        />
        <YesNo name="event_guests_hidden" label={t('eventForm.hidesGuests')} on={extra?.guests_hidden ?? false} />
        <YesNo name="event_location_hidden" label={t('eventForm.hidesPlace')} on={extra?.location_hidden ?? false} />
        <YesNo name="event_guests_may_share" label={t('eventForm.share')} on={extra?.guests_may_share ?? true} />
      </Group>
      <Group title={t('event.photos')}>
        <Question
          name="event_album_for"
          label={t('eventForm.albumFor')}
          answers={(['everybody', 'coming'] as const).map(each => [each, t(`event.albumFor.${each}`)])}
          before={extra?.album_for ?? 'everybody'}
          wrong={wrong}
        />
        <RevealFields event={event} clock={clock} wrong={wrong} />
        <Question
          name="event_photo_approval"
          label={t('eventForm.approval')}
          answers={(['none', 'wall', 'album'] as const).map(each => [each, t(`event.approval.${each}`)])}
          before={extra?.photo_approval ?? 'none'}
          wrong={wrong}
        />
        <YesNo
          name="event_attachments_to_album"
          label={t('eventForm.album')}
          hint={t('eventForm.albumHint')}
          on={extra?.attachments_to_album ?? true}
        />
        <YesNo
          name="event_asks_for_photos"
          label={t('eventForm.asksForPhotos')}
          on={extra?.event_asks_for_photos ?? true}
        />
        {event && <Allowance event={event} />}
      </Group>
      <Group title={t('eventForm.group.wall')}>
        <YesNo name="event_greetings_on_wall" label={t('eventForm.greetings')} on={extra?.greetings_on_wall ?? false} />
      </Group>
      <Group title={t('event.chat')}>
        <YesNo
          name="event_announcements_in_chat"
          label={t('eventForm.announcesInChat')}
          on={extra?.event_announcements_in_chat ?? true}
        />
      </Group>
    </>
  )
}

/** How many photos each guest may add is saved by itself. */
const Allowance = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" className="justify-self-start" onClick={() => setOpen(true)}>
        {t('allowance.title')}
      </Button>
      {open && <AllowanceDialog event={event} onClose={() => setOpen(false)} />}
    </>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-4 rounded-2xl border border-line bg-card p-4">
    <h2 className="font-display text-xl font-semibold">{title}</h2>
    {children}
  </section>
)

type QuestionProps = {
  name: string
  label: string
  hint?: string
  answers: [value: string | number, text: string][]
  before: string | number
  wrong(field: string): string | undefined
}

const Question = ({ answers, before, wrong, ...asked }: QuestionProps) => (
  <Choice {...asked} defaultValue={before} error={wrong(asked.name)}>
    {answers.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </Choice>
)

const YesNo = ({ on, ...asked }: { name: string; label: string; hint?: string; on: boolean }) => {
  const [checked, setChecked] = useState(on)
  return <Switch {...asked} checked={checked} onChange={setChecked} />
}
