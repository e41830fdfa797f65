import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { dayOf, raised, spanOf, timeOf, weekdayOf } from '../../app/date-format.ts'
import { momentOf, ownZone, wallTime } from '../../app/time-zones.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { typeInto } from '../../ui/draft.ts'
import { DateTimeField } from '../../ui/field.tsx'
import type { Event } from '../queries.ts'
import { ProgrammeFields } from './programme-fields.tsx'

const dayMs = 24 * 60 * 60_000
const friday = 5
const saturday = 6

/** The next such day at seven in the evening, at least three hours ahead, as a clock here shows it. */
const evening = (weekday: number, weeksLater = 0) => {
  const soon = new Date(Date.now() + 3 * 60 * 60_000)
  const days = (weekday - soon.getDay() + 7) % 7 || (soon.getHours() < 19 ? 0 : 7)
  const day = new Date(soon.getTime() + (days + 7 * weeksLater) * dayMs)
  return wallTime(day, ownZone()).replace(/T.*/, 'T19:00')
}

type Props = {
  event: Event | undefined
  clock: string
  open: boolean
  wrong(field: string): string | undefined
  onOpen(): void
}

/** When it is: a line that opens into likely evenings, its times and its programme. */
export const WhenField = ({ event, clock, open, wrong, onOpen }: Props) => {
  const { t } = useWords()
  const wall = (moment: string | null | undefined) => (moment ? wallTime(moment, clock) : '')
  const [chips] = useState(() => [evening(friday), evening(saturday), evening(saturday, 1)])
  const [start, setStart] = useState(event ? wall(event.event_starts_at) : (chips[1] as string))
  const [first] = useState(start)
  const [end, setEnd] = useState(wall(event?.event_ends_at))
  const at = (text: string) => (Number.isNaN(Date.parse(`${text}Z`)) ? null : momentOf(text, clock).toISOString())
  const begins = at(start)
  const named = (chip: string, n: number) => {
    const day = momentOf(chip, clock)
    return n === 2
      ? `${raised(dayOf(day))}, ${timeOf(day)}`
      : t('eventForm.coming', { day: weekdayOf(day), time: timeOf(day) })
  }
  const chosen = chips.findIndex((chip, n) => n < 2 && chip === start && !end)
  return (
    <div className="grid grid-cols-1 gap-3">
      <button
        type="button"
        aria-expanded={open}
        onClick={onOpen}
        className="flex min-h-12 items-center gap-3 rounded-xl text-start font-semibold hover:bg-hover"
      >
        <CalendarDays className="size-5 shrink-0 text-ember" aria-hidden="true" />
        <span className="sr-only">{t('event.when')}: </span>
        {chosen >= 0 ? named(start, chosen) : begins ? spanOf(begins, at(end), clock) : t('event.when')}
      </button>
      <div hidden={!open} className="grid grid-cols-1 gap-4">
        {!event && (
          <div className="flex flex-wrap gap-2">
            {chips.map((chip, n) => (
              <Button
                key={chip}
                look="quiet"
                size="small"
                aria-pressed={chip === start}
                className="aria-pressed:border-ember aria-pressed:bg-sunken"
                onClick={({ currentTarget: { form } }) => {
                  const field = form?.elements.namedItem('event_starts_at')
                  if (field instanceof HTMLInputElement) typeInto(field, chip)
                }}
              >
                {named(chip, n)}
              </Button>
            ))}
          </div>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <DateTimeField
            name="event_starts_at"
            label={t('eventForm.starts')}
            defaultValue={first}
            onInput={({ currentTarget }) => setStart(currentTarget.value)}
            required
            error={wrong('event_starts_at')}
          />
          <DateTimeField
            name="event_ends_at"
            label={t('eventForm.ends')}
            defaultValue={wall(event?.event_ends_at)}
            onInput={({ currentTarget }) => setEnd(currentTarget.value)}
            error={wrong('event_ends_at')}
          />
        </div>
        <ProgrammeFields event={event} clock={clock} wrong={wrong} />
      </div>
    </div>
  )
}
