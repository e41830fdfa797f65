import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Expand, ImageOff, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { rowsOf } from '../app/pages.ts'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { useAlt } from './alt.ts'
import { photosQuery } from './queries.ts'
import { useWakeLock } from './wake-lock.ts'
import { WallCode } from './wall-code.tsx'
import { type Shown, useShow } from './wall-show.ts'

const route = getRouteApi('/inside/events/$eventId/wall')
const idleMs = 4000
/** As many photos go round; an album of thousands would never come back to its beginning anyway. */
const roundMax = 600

/** The screen at the venue: one photo after the other, new ones at once, and the code by which people come in. */
export const WallPage = () => {
  const { t } = useWords()
  const { eventId } = route.useParams()
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId))
  const photos = useMemo(() => rowsOf(list.data, ({ id }) => id).filter(({ extra }) => !extra?.hidden), [list.data])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && photos.length < roundMax) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, photos.length])
  const { shown, before, next } = useShow(photos)
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
        <div className="grid h-full place-content-center justify-items-center gap-4 p-8 text-center">
          <ImageOff className="size-14 text-white/70" aria-hidden="true" />
          <p className="font-display text-3xl">{list.isPending ? t('common.loading') : t('wall.none')}</p>
        </div>
      )}
      {shown && (
        <div className="pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent p-6 pt-24 lg:p-10 lg:pt-32">
          <p className="max-w-[calc(100%-11rem)] text-xl lg:max-w-[calc(100%-16rem)] lg:text-3xl" dir="auto">
            {shown.photo.extra?.caption && (
              <span className="line-clamp-2 font-display font-semibold">{shown.photo.extra.caption}</span>
            )}
            <span className="text-white/85">{nameOf(shown.photo.taken_by)}</span>
          </p>
        </div>
      )}
      {event && <WallCode eventId={eventId} manages={event.extra?.may.manage ?? false} />}
      <div
        className={`absolute inset-x-4 top-4 flex items-center gap-2 transition-opacity focus-within:opacity-100 ${idle ? 'opacity-0' : ''}`}
      >
        <p className="min-w-0 flex-1 truncate font-display text-2xl font-semibold text-shadow-lg" dir="auto">
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
          to="/events/$eventId/photos"
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

const Picture = ({ shown, leaving = false, onEnd }: { shown: Shown; leaving?: boolean; onEnd(): void }) => {
  const alt = useAlt(shown.photo)
  const look = `absolute inset-0 size-full object-contain ${leaving ? 'opacity-0 transition-opacity duration-1000' : 'animate-[fade_1s_ease-out]'}`
  return (
    <div aria-hidden={leaving}>
      <img
        src={shown.still}
        alt=""
        className={`absolute inset-0 size-full scale-110 object-cover blur-3xl brightness-40 ${leaving ? 'opacity-0 transition-opacity duration-1000' : 'animate-[fade_1s_ease-out]'}`}
      />
      {shown.film && !leaving ? (
        <video
          src={shown.film}
          poster={shown.still}
          muted
          autoPlay
          playsInline
          onEnded={onEnd}
          onError={onEnd}
          className={look}
        >
          <track kind="captions" />
        </video>
      ) : (
        <img src={shown.still} alt={alt} className={look} />
      )}
    </div>
  )
}

/** Whether nobody has touched anything for a while, so that nothing need stand over the photos. */
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
