import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Expand, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { Link, useParams } from '../app/router/router.tsx'
import { useWakeLock } from '../app/wake-lock.ts'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { useAlt } from '../gallery/alt.ts'
import { type Photo, photosQuery } from '../gallery/queries.ts'
import { nameOf } from '../people/names.ts'
import { NowAndNext } from '../plans/now-and-next.tsx'
import { useArrivals } from './wall-arrivals.ts'
import { codeWidth, WallCode } from './wall-code.tsx'
import { WallGreeting } from './wall-greeting.tsx'
import { type Shown, useShow } from './wall-show.ts'

const idleMs = 4000
/** How many photos rotate; an album of thousands would never return to its beginning anyway. */
const roundMax = 600

/** The screen at the venue: one photo after another, new ones at once, and the code for joining. */
export const WallScreen = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/wall')
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId))
  const photos = useMemo(
    () =>
      rowsOf(list.data, ({ id }) => id)
        .filter(({ extra }) => !extra.hidden && !extra.waiting)
        .slice(0, roundMax),
    [list.data],
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && photos.length < roundMax) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, photos.length])
  const { shown, before, next } = useShow(photos)
  const arrival = useArrivals(photos, list.data !== undefined)
  useWakeLock()
  const idle = useIdle()
  const screen = useRef<HTMLDivElement>(null)
  return (
    <div ref={screen} className={`fixed inset-0 z-50 overflow-hidden bg-black text-white ${idle ? 'cursor-none' : ''}`}>
      <title>{`${t('wall.title')} · ${event?.event_name ?? 'Afterglow'}`}</title>
      <h1 className="sr-only">{`${t('wall.title')}: ${event?.event_name ?? ''}`}</h1>
      {before && <Picture key={before.key} shown={before} leaving onEnd={next} />}
      {shown ? (
        <Picture key={shown.key} shown={shown} onEnd={next} />
      ) : (
        <Empty name={event?.event_name} loading={list.isPending} />
      )}
      {shown && (
        <div className="pointer-events-none absolute inset-x-0 bottom-0 flex items-end gap-[1vw] bg-linear-to-t from-black/85 to-transparent safe-x-6 pb-6 pt-[16vh] lg:p-[2vw]">
          {[shown, ...shown.beside].map(({ photo }) => (
            <p key={photo.id} className={`min-w-0 flex-1 leading-tight text-shadow-lg ${readable}`}>
              {photo.extra.caption && (
                <span className="line-clamp-2 font-display font-semibold" dir="auto">
                  {photo.extra.caption}
                </span>
              )}
              <span className="block truncate text-[0.85em] text-white/90" dir="auto">
                {nameOf(photo.taken_by)}
              </span>
            </p>
          ))}
          <span className={`shrink-0 ${codeWidth}`} />
        </div>
      )}
      <p
        role="status"
        className={`pointer-events-none absolute inset-x-0 top-[4vh] mx-auto w-fit max-w-[90%] rounded-full text-center font-semibold ${readable} ${arrival ? 'animate-rise bg-ember px-[1.2em] py-[0.4em] text-on-ember shadow-float' : ''}`}
      >
        {arrival && t('wall.justAdded', { name: arrival.name, count: arrival.count })}
      </p>
      {event?.extra.greetings_on_wall && shown && <WallGreeting chatId={event.group_chat_id} />}
      {event && (
        <NowAndNext
          event={event}
          className="pointer-events-none absolute end-[2vw] top-[12vh] max-w-[40vw] rounded-3xl bg-black/65 p-[max(0.9rem,1.2vw)] text-[max(1.25rem,4vh)] leading-snug shadow-float max-sm:hidden"
        />
      )}
      {event && <WallCode eventId={eventId} manages={event.extra.may.manage} large={!shown} />}
      <div
        className={`absolute inset-x-0 top-4 safe-x-4 flex items-center gap-2 transition-opacity focus-within:opacity-100 ${idle ? 'opacity-0' : ''}`}
      >
        <p
          className="line-clamp-2 min-w-0 flex-1 font-display text-lg leading-tight font-semibold text-shadow-lg wrap-anywhere sm:text-2xl"
          dir="auto"
        >
          {event?.event_name}
        </p>
        {document.fullscreenEnabled && (
          <button
            type="button"
            className={round}
            aria-label={t('wall.full')}
            title={t('wall.full')}
            onClick={() =>
              void (document.fullscreenElement ? document.exitFullscreen() : screen.current?.requestFullscreen())
            }
          >
            <Expand aria-hidden="true" />
          </button>
        )}
        <Link
          to="/events/:eventId/photos"
          params={{ eventId }}
          className={round}
          aria-label={t('common.close')}
          title={t('common.close')}
        >
          <X aria-hidden="true" />
        </Link>
      </div>
    </div>
  )
}

const round = 'grid size-12 place-items-center rounded-full bg-black/50 hover:bg-black/80'

/**
 * What a person can read from ten metres: four hundredths of the screen's height; on a phone at least as large as
 * normal text.
 */
const readable = 'text-[max(1.25rem,4.4vh)]'

const Picture = ({ shown, leaving = false, onEnd }: { shown: Shown; leaving?: boolean; onEnd(): void }) => {
  const moving = leaving ? 'opacity-0 transition-opacity duration-1000' : 'animate-[fade_1s_ease-out]'
  return (
    <div aria-hidden={leaving}>
      <img
        src={shown.still}
        alt=""
        className={`absolute inset-0 size-full scale-110 object-cover blur-3xl brightness-40 ${moving}`}
      />
      <div
        aria-hidden={leaving}
        className={`absolute inset-0 flex gap-[1vw] ${shown.beside.length > 0 ? 'p-[2vw]' : ''} ${moving}`}
      >
        {shown.film && !leaving ? (
          <video
            src={shown.film}
            poster={shown.still}
            muted
            autoPlay
            playsInline
            onEnded={onEnd}
            onError={onEnd}
            className="size-full object-contain"
          >
            <track kind="captions" />
          </video>
        ) : (
          [shown, ...shown.beside].map(({ photo, still }) => <Still key={photo.id} photo={photo} still={still} />)
        )}
        {/* As wide as the code, so that each stands over its own words. */}
        {shown.beside.length > 0 && <span className={`shrink-0 ${codeWidth}`} />}
      </div>
    </div>
  )
}

const Still = ({ photo, still }: { photo: Photo; still: string }) => (
  <img src={still} alt={useAlt(photo)} className="h-full min-w-0 flex-1 object-contain" />
)

/** Before the first photo: an evening sky, what it is for, and the way in. */
const Empty = ({ name, loading }: { name: string | undefined; loading: boolean }) => {
  const { t } = useWords()
  return (
    <div className="grid h-full content-start justify-items-center gap-[3vh] bg-linear-to-b from-[#1f2a5c] via-[#6c4a8f] to-[#ee8d6b] px-8 pt-[12vh] text-center">
      <p
        className="font-display text-[max(1.75rem,min(9vh,11vw))] leading-tight font-semibold text-balance text-shadow-lg"
        dir="auto"
      >
        {name}
      </p>
      <p className={`text-balance text-white/95 ${readable}`}>{loading ? t('common.loading') : t('wall.none')}</p>
    </div>
  )
}

/** Whether nobody has touched anything for a while, so that nothing need cover the photos. */
const useIdle = () => {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), idleMs)
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), idleMs)
    }
    const signs = ['pointermove', 'pointerdown', 'keydown'] as const
    for (const sign of signs) addEventListener(sign, wake)
    return () => {
      clearTimeout(timer)
      for (const sign of signs) removeEventListener(sign, wake)
    }
  }, [])
  return idle
}
