import { dayOf, timeOf } from '../app/date-format.ts'
import { useWords } from '../app/words.ts'
import { zoneOf } from '../events/event-words.ts'
import type { Event } from '../events/queries.ts'
import { programmeIn } from './programme.ts'

/** What happens when at an event, on the clock of its place. */
export const ProgrammeSection = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const programme = programmeIn(event)
  const zone = zoneOf(event)
  const dayAt = (at: number) => dayOf(programme[at]?.programme_starts_at ?? event.event_starts_at, zone)
  if (programme.length === 0) return null
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold text-soft">{t('programme.title')}</h2>
      <ol className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-card shadow-card">
        {programme.map((entry, at) => (
          <li
            key={`${entry.programme_starts_at} ${entry.programme_title}`}
            className="grid grid-cols-[5.5rem_1fr] gap-3 px-4 py-3"
          >
            <p className="text-sm text-soft tabular-nums">
              {dayAt(at) !== dayAt(at - 1) && <span className="block">{dayAt(at)}</span>}
              <time dateTime={entry.programme_starts_at} className="font-semibold text-ink">
                {timeOf(entry.programme_starts_at, zone)}
              </time>
              {entry.programme_ends_at && (
                <time dateTime={entry.programme_ends_at} className="block">
                  {`– ${timeOf(entry.programme_ends_at, zone)}`}
                </time>
              )}
            </p>
            <p className="min-w-0 wrap-anywhere">
              <span className="block font-semibold" dir="auto">
                {entry.programme_title}
              </span>
              {entry.programme_place && (
                <span className="block text-sm text-soft" dir="auto">
                  {entry.programme_place}
                </span>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
