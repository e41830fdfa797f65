import { timeOf } from '../app/date-format.ts'
import { useNow } from '../app/now.ts'
import { useWords } from '../app/words.ts'
import { cancelled, zoneOf } from '../events/event-words.ts'
import type { Event } from '../events/queries.ts'
import { nowAndNextIn } from './programme.ts'

/** What happens now and what comes next, in the colours and sizes of whatever it stands on; nothing if neither is. */
export const NowAndNext = ({ event, className = '' }: { event: Event; className?: string }) => {
  const { t } = useWords()
  const { now, next } = nowAndNextIn(event, useNow())
  if (cancelled(event) || (now.length === 0 && !next)) return null
  return (
    <dl className={`grid grid-cols-[auto_1fr] gap-x-[0.75em] gap-y-[0.25em] ${className}`}>
      {now.length > 0 && (
        <>
          <dt className="font-semibold">{t('programme.now')}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {now.map(entry => (
              <What key={`${entry.programme_starts_at} ${entry.programme_title}`} entry={entry} />
            ))}
          </dd>
        </>
      )}
      {next && (
        <>
          <dt className="font-semibold">{t('programme.next')}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <What entry={next} at={timeOf(next.programme_starts_at, zoneOf(event))} />
          </dd>
        </>
      )}
    </dl>
  )
}

type WhatProps = { entry: Event['extra']['event_programme'][number]; at?: string }

const What = ({ entry, at }: WhatProps) => (
  <span className="block">
    {at && `${at} · `}
    <bdi>{entry.programme_title}</bdi>
    {entry.programme_place && (
      <>
        {' · '}
        <bdi>{entry.programme_place}</bdi>
      </>
    )}
  </span>
)
