import { useQuery } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { online } from '../app/net/network.ts'
import { useParams } from '../app/router/router.tsx'
import { useStore } from '../app/store.ts'
import { viewing } from '../app/viewing.ts'
import { useWakeLock } from '../app/wake-lock.ts'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { NowAndNext } from '../plans/now-and-next.tsx'
import { useFullScreen } from './full-screen.ts'
import { useReportShown } from './report-shown.ts'
import { type Arrival, useArrivals } from './wall-arrivals.ts'
import { WallBar } from './wall-bar.tsx'
import { WallCode } from './wall-code.tsx'
import { withBeside } from './wall-content.ts'
import { WallEmpty } from './wall-empty.tsx'
import { WallGreeting } from './wall-greeting.tsx'
import { Mosaic } from './wall-mosaic.tsx'
import { useWallPhotos } from './wall-photos.ts'
import { Captions, Picture, readable } from './wall-picture.tsx'
import { wallQuery } from './wall-query.ts'
import { useShow } from './wall-show.ts'

const idleMs = 4000

/**
 * The screen at the venue: photos by the event's wall settings, new ones at once, and the code for joining. A page that
 * a link for screens opened has no user, and links nowhere.
 */
export const WallScreen = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/wall')
  const { data: event } = useQuery(eventQuery(eventId))
  const { data: wall } = useQuery(wallQuery(eventId))
  const { photos, all, named, list, whole } = useWallPhotos(eventId, wall)
  const { shown, before, tiles, ended } = useShow(photos, wall, named, whole)
  const arrival = useArrivals(all, list.data !== undefined)
  const byLink = useStore(viewing)?.kind === 'screen'
  const onWall = shown ? withBeside(shown) : tiles
  useReportShown(
    eventId,
    onWall.map(({ photo }) => photo.id),
    byLink || event?.extra.may.moderate === true,
  )
  useWakeLock()
  const idle = useIdle()
  const { screen, fill, fillOrEnd } = useFullScreen()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button for it is inside, also for keyboards.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <div
      ref={screen}
      onClick={() => byLink && fill()}
      className={`fixed inset-0 z-50 overflow-hidden bg-black text-white ${idle ? 'cursor-none' : ''}`}
    >
      <title>{`${t('wall.title')} · ${event?.event_name ?? 'Afterglow'}`}</title>
      <h1 className="sr-only">{`${t('wall.title')}: ${event?.event_name ?? ''}`}</h1>
      {before && <Picture key={before.key} shown={before} leaving onEnd={ended} />}
      {tiles.length > 0 && <Mosaic tiles={tiles} />}
      {shown && <Picture key={shown.key} shown={shown} onEnd={ended} />}
      {onWall.length === 0 && <WallEmpty name={event?.event_name} loading={list.isPending || !wall} />}
      {shown && <Captions shown={shown} />}
      <JustAdded arrival={arrival} />
      {event?.extra.may.read_chat && wall?.wall_messages && onWall.length > 0 && (
        <WallGreeting chatId={event.group_chat_id} byLink={byLink} />
      )}
      {event && (
        <NowAndNext
          event={event}
          className="pointer-events-none absolute end-[2vw] top-[12vh] max-w-[40vw] rounded-3xl bg-black/65 p-[max(0.9rem,1.2vw)] text-[max(1.25rem,4vh)] leading-snug shadow-float max-sm:hidden"
        />
      )}
      {event && wall && <WallCode eventId={eventId} link={wall.wall_link} large={onWall.length === 0} />}
      <Offline />
      <WallBar {...{ eventId, byLink, idle }} name={event?.event_name} onFull={fillOrEnd} />
    </div>
  )
}

const JustAdded = ({ arrival }: { arrival: Arrival | undefined }) => {
  const { t } = useWords()
  return (
    <p
      role="status"
      className={`pointer-events-none absolute inset-x-0 top-[4vh] mx-auto w-fit max-w-[90%] rounded-full text-center font-semibold ${readable} ${arrival ? 'animate-rise bg-ember px-[1.2em] py-[0.4em] text-on-ember shadow-float' : ''}`}
    >
      {arrival && t('wall.justAdded', { name: arrival.name, count: arrival.count })}
    </p>
  )
}

const Offline = () => {
  const { t } = useWords()
  const reachable = useStore(online)
  return (
    !reachable && (
      <p
        role="status"
        className="pointer-events-none absolute start-4 top-[max(4rem,9vh)] flex items-center gap-2 text-sm text-white/70 text-shadow-lg"
      >
        <CloudOff className="size-6 shrink-0" />
        {t('wall.offline')}
      </p>
    )
  )
}

/** True after a while without a touch: nothing need cover the photos. */
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
