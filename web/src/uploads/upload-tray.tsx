import { useMemo, useState } from 'react'
import { online } from '../app/net/network.ts'
import { useStore } from '../app/store.ts'
import { useWakeLock } from '../app/wake-lock.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { TrayHeader } from './tray-header.tsx'
import { holdsRaw, isDone, isSafe, type Upload, whyOf } from './upload.ts'
import { barriers, paused } from './upload-barriers.ts'
import { UploadLines } from './upload-lines.tsx'
import { uploads } from './upload-list.ts'
import { useProgress } from './upload-progress.ts'
import { dismiss, goOn } from './upload-queue.ts'

/** The progress of the files chosen for this album, and at the end how many are safe. */
export const UploadTray = ({ eventId }: { eventId: number }) => {
  const all = useStore(uploads)
  const mine = useMemo(() => all.filter(each => each.eventId === eventId), [all, eventId])
  return mine.length > 0 ? <Tray eventId={eventId} all={mine} /> : null
}

const Tray = ({ eventId, all }: { eventId: number; all: readonly Upload[] }) => {
  const { t } = useWords()
  const progress = useProgress(eventId, all)
  const { left, refused, twins, total, gone } = progress
  const reachable = useStore(online)
  const held = useStore(paused)
  const barrier = useStore(barriers).get(eventId)
  const [opened, setOpened] = useState<boolean>()
  const state = left.length === 0 ? 'done' : barrier || held ? 'held' : reachable ? 'going' : 'paused'
  const done = state === 'done'
  // Refused files and the reasons are listed without asking, if one line cannot say it.
  const open = opened ?? (done && (refused.length > 1 || twins.length > 0))
  return (
    <section
      aria-label={t('upload.title')}
      className="fixed inset-x-3 bottom-[calc(9.25rem+var(--pill))] z-30 mx-auto max-w-md animate-rise overflow-hidden rounded-2xl border border-line bg-card shadow-float lg:inset-x-auto lg:end-6 lg:bottom-6 lg:w-96"
    >
      {state === 'going' && <Awake />}
      <TrayHeader {...{ eventId, progress, state, barrier, held, open }} onOpen={() => setOpened(!open)} />
      {!done && left.some(holdsRaw) && (
        <p className="px-4 pb-3 text-sm leading-snug text-pretty text-soft">{t('upload.raw')}</p>
      )}
      {barrier && !done && <Stopped eventId={eventId} barrier={barrier} left={left.length} />}
      {!done && <Progress max={total} value={gone} />}
      {open && (
        <UploadLines uploads={done ? [...twins, ...refused, ...all.filter(each => isSafe(each) && !each.twin)] : all} />
      )}
    </section>
  )
}

type StoppedProps = { eventId: number; barrier: Parameters<typeof whyOf>[0]; left: number }
/** A reason that stops all of them. */
const Stopped = ({ eventId, barrier, left }: StoppedProps) => {
  const { t } = useWords()
  return (
    <div role="alert" className="grid gap-2 px-4 pb-3">
      <p className="text-sm leading-snug text-pretty text-bad">
        {whyOf(barrier)} {t('upload.kept', { count: left })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" look="soft" onClick={() => goOn(eventId)}>
          {t('common.tryAgain')}
        </Button>
        <Button size="small" look="quiet" onClick={() => dismiss(each => each.eventId === eventId && !isDone(each))}>
          {t('upload.leaveRest')}
        </Button>
      </div>
    </div>
  )
}

const Progress = ({ max, value }: { max: number; value: number }) => {
  const { t } = useWords()
  return (
    <progress
      className="block h-1.5 w-full appearance-none bg-sunken [&::-moz-progress-bar]:bg-ember [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ember"
      aria-label={t('upload.title')}
      max={max}
      value={value}
    />
  )
}

/** A sleeping phone sends nothing. */
const Awake = () => {
  useWakeLock()
  return null
}
