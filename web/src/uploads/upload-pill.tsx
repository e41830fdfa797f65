import { Check, CircleAlert, CirclePause, CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { count } from '../app/date-format.ts'
import { online } from '../app/net/network.ts'
import { Link, useLocation } from '../app/router/router.tsx'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Spinner } from '../ui/spinner.tsx'
import { isDone, isSafe, type Upload } from './upload.ts'
import { barriers, paused } from './upload-barriers.ts'
import { uploads } from './upload-list.ts'
import { tallies, tallyOf } from './upload-tally.ts'

/** The progress of uploads, on every page but the album itself, which shows more. A tap leads there. */
export const UploadPill = ({ immersed }: { immersed: boolean }) => {
  const { t } = useWords()
  const all = useStore(uploads)
  const blocked = useStore(barriers)
  const counts = useStore(tallies)
  const held = useStore(paused)
  const reachable = useStore(online)
  const { path } = useLocation()
  const needs = all.filter(each => needsSomebody(each, blocked))
  const left = all.filter(each => !isDone(each))
  const ended = useEnded(left.length > 0)
  const first = needs[0] ?? left[0] ?? all.at(-1)
  const onlyHere = all.every(({ eventId }) => path.startsWith(`/events/${eventId}/photos`))
  const isShown = first !== undefined && !onlyHere && (left.length > 0 || needs.length > 0 || ended)
  useRoom(isShown)
  if (!isShown) return null
  const albums = new Map(all.map(each => [each.eventId, each]))
  const sent = [...albums.values()].reduce((sum, album) => sum + tallyOf(counts, album).files, 0)
  const said = { sent: count(sent), total: count(sent + all.filter(each => !isSafe(each)).length) }
  const [Going, going] =
    left.length === 0
      ? [Check, sent > 0 && t('upload.safe', { count: sent })]
      : held
        ? [CirclePause, t('upload.pill.held', said)]
        : reachable
          ? [Spinner, t('upload.pill.going', said)]
          : [CloudOff, t('upload.pill.waits', said)]
  const [Sign, words] =
    needs.length > 0
      ? [CircleAlert, [t('upload.pill.needs', { count: needs.length }), going].filter(Boolean).join(' · ')]
      : [Going, going]
  return (
    <div
      className={`pointer-events-none fixed inset-x-0 z-30 flex h-11 items-center justify-center px-3 lg:inset-x-auto lg:start-0 lg:bottom-4 lg:h-auto lg:w-24 lg:px-2 ${immersed ? 'bottom-[env(safe-area-inset-bottom)]' : 'bottom-[calc(4rem+env(safe-area-inset-bottom))]'}`}
    >
      <Link
        to="/events/:eventId/photos"
        params={{ eventId: first.eventId }}
        className={`touch pointer-events-auto flex min-h-8 max-w-full items-center gap-2 rounded-full border border-line bg-card py-1 ps-2 pe-3 text-sm font-semibold shadow-float lg:w-full lg:flex-col lg:rounded-2xl lg:px-1 lg:py-2 lg:text-center lg:text-xs ${needs.length > 0 ? 'text-bad' : ''}`}
      >
        <span className="sr-only">{t('upload.title')}: </span>
        <Sign className="size-4.5 shrink-0" aria-hidden="true" />
        <span className="min-w-0 leading-tight tabular-nums lg:wrap-anywhere">{words}</span>
      </Link>
    </div>
  )
}

const needsSomebody = ({ state, eventId }: Upload, blocked: ReadonlyMap<number, unknown>) =>
  state === 'refused' || (state === 'waiting' && blocked.has(eventId))

const endedMs = 6000

/** True for a moment after the last one was sent. */
const useEnded = (going: boolean) => {
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    if (!going) return
    return () => setEnded(true)
  }, [going])
  useEffect(() => {
    if (!ended) return
    const timer = setTimeout(() => setEnded(false), endedMs)
    return () => clearTimeout(timer)
  }, [ended])
  return ended
}

/** Pages leave its place free (`--pill` in style.css). */
const useRoom = (isShown: boolean) =>
  useEffect(() => {
    document.documentElement.toggleAttribute('data-pill', isShown)
    return () => document.documentElement.removeAttribute('data-pill')
  }, [isShown])
