import type { ReactNode } from 'react'
import { dayOf, timeOf } from '../../app/date-format.ts'
import type { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { useCoverColours } from '../../events/cover-colours.ts'
import { EventCover, EventLines, HostWords } from '../../events/event-head.tsx'
import { zoneOf } from '../../events/event-words.ts'
import { nameOf } from '../../people/names.ts'
import { Avatar } from '../../ui/pictures/avatar.tsx'

export type Opened = Awaited<ReturnType<typeof api.links.openEvent | typeof api.links.openLink>>

/** What a stranger is shown of an event: on a phone one page, on a desktop two halves. The bar stays in sight. */
export const Invitation = ({ opened, bar, children }: { opened: Opened; bar: ReactNode; children: ReactNode }) => {
  const { t } = useWords()
  const { style, onCover } = useCoverColours(opened.event_avatar_url)
  return (
    <main className="covered flex min-h-dvh flex-col lg:grid lg:grid-cols-2" style={style}>
      <title>{`${opened.event_name} · Afterglow`}</title>
      <EventCover
        event={{ ...opened, id: opened.event_id }}
        onCover={onCover}
        large
        className="min-h-[min(125vw,56svh)] lg:sticky lg:top-0 lg:h-dvh"
      />
      <div className="mx-auto flex w-full max-w-120 flex-1 flex-col lg:justify-center">
        <div className="grid grid-cols-1 gap-4 px-4 pt-4 pb-6">
          <EventLines event={opened}>
            {opened.event_location_hidden && <p className="text-soft">{t('invitation.placeHidden')}</p>}
            <p className="text-soft" dir="auto">
              {t('invitation.by', { name: nameOf(opened.host) })}
            </p>
          </EventLines>
          {opened.event_description && <HostWords text={opened.event_description} />}
          <Programme opened={opened} />
          <WhoComes opened={opened} />
          {children}
        </div>
        {bar && (
          <div className="safe-bottom sticky bottom-0 z-20 mt-auto border-t border-line bg-paper lg:mt-0 lg:border-t-0">
            <div className="flex flex-wrap gap-2 p-4">{bar}</div>
          </div>
        )}
      </div>
    </main>
  )
}

const Programme = ({ opened }: { opened: Opened }) => {
  const { t } = useWords()
  const zone = zoneOf(opened)
  if (opened.event_programme.length === 0) return null
  const firstDay = dayOf(opened.event_starts_at, zone)
  return (
    <ol aria-label={t('programme.title')} className="grid grid-cols-1 gap-1">
      {opened.event_programme.map(entry => {
        const day = dayOf(entry.programme_starts_at, zone)
        return (
          <li key={`${entry.programme_starts_at} ${entry.programme_title}`} className="flex gap-3">
            <time dateTime={entry.programme_starts_at} className="shrink-0 text-soft tabular-nums">
              {day !== firstDay && `${day} `}
              {timeOf(entry.programme_starts_at, zone)}
            </time>
            <span className="min-w-0 wrap-anywhere" dir="auto">
              {[entry.programme_title, entry.programme_place].filter(Boolean).join(' · ')}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const namesMax = 2
/** From here on, it is worth saying that places run out. */
const placesFew = 20

const WhoComes = ({ opened: { going, going_count: count, event_places_left: left } }: { opened: Opened }) => {
  const { t, language } = useWords()
  const named = going.slice(0, namesMax)
  const names = named.map(person => person.user_first_name).join(language === 'ar' ? '، ' : ', ')
  const others = Math.max(0, count - named.length)
  return (
    <>
      {count > 0 && (
        <div className="flex items-center gap-3">
          {going.length > 0 && (
            <span className="flex shrink-0 -space-x-2" aria-hidden="true">
              {going.map(({ user_avatar_url }) => (
                <Avatar key={user_avatar_url} src={user_avatar_url} size={32} className="ring-2 ring-paper" />
              ))}
            </span>
          )}
          <p className="min-w-0 wrap-anywhere">
            {named.length === 0
              ? t('answer.coming', { people: count })
              : others === 0
                ? t('invitation.coming', { names })
                : t('invitation.comingAnd', { names, count: others })}
          </p>
        </div>
      )}
      {left !== null && left <= placesFew && (
        <p className="font-semibold text-pretty">
          {left === 0 ? t('invitation.full') : t('invitation.left', { count: left })}
        </p>
      )}
    </>
  )
}
