import { Check, ChevronDown, CircleAlert, CirclePause, CloudOff, Pause, Play, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { count } from '../app/date-format.ts'
import { online } from '../app/net/network.ts'
import { session } from '../app/session.ts'
import { sizeOf } from '../app/sizes.ts'
import { useStore } from '../app/store.ts'
import { useWakeLock } from '../app/wake-lock.ts'
import { t, useWords } from '../app/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { bytesOf, holdsRaw, isDone, isLoose, isSafe, type Upload, whyOf } from './upload.ts'
import { thisTab } from './upload-files.ts'
import { UploadLines } from './upload-lines.tsx'
import { sent, uploads } from './upload-list.ts'
import { dismiss, goOn, pause, resume } from './upload-queue.ts'
import { leftOf, useRate } from './upload-rate.ts'
import { tallies, tallyOf } from './upload-tally.ts'
import { barriers, paused } from './uploads-held.ts'

/** The progress of the files chosen for this album, and at the end how many are safe. */
export const UploadTray = ({ eventId }: { eventId: number }) => {
  const all = useStore(uploads)
  const mine = useMemo(() => all.filter(each => each.eventId === eventId), [all, eventId])
  return mine.length > 0 ? <Tray eventId={eventId} all={mine} /> : null
}

const Tray = ({ eventId, all }: { eventId: number; all: readonly Upload[] }) => {
  const { t } = useWords()
  const bytes = useStore(sent)
  const reachable = useStore(online)
  const held = useStore(paused)
  const barrier = useStore(barriers).get(eventId)
  const userId = useStore(session)?.userId ?? 0
  const tally = tallyOf(useStore(tallies), { userId, eventId })
  const [opened, setOpened] = useState<boolean>()
  const sums = useMemo(() => sumsOf(all), [all])
  const { left, refused, twins } = sums
  const loose = left.filter(each => each.holder === thisTab).length
  const elsewhere = left.some(each => isLoose(each) && each.holder !== thisTab)
  const total = tally.bytes + sums.bytes || 1
  const gone = left.reduce((sum, { at }) => sum + (bytes.get(at) ?? 0), tally.bytes)
  const state = left.length === 0 ? 'done' : barrier || held ? 'held' : reachable ? 'going' : 'paused'
  const done = state === 'done'
  const bad = refused.length > 0 || barrier !== undefined
  // Which files were refused and why is shown without asking, if one line cannot say it.
  const open = opened ?? (done && (refused.length > 1 || twins.length > 0))
  const said = { sent: count(tally.files), total: count(tally.files + left.length + refused.length) }
  const titles = {
    done: doneWords(tally.files - tally.already, tally.already),
    held: t('upload.held', said),
    going: t('upload.going', said),
    paused: t('upload.paused', said),
  }
  return (
    <section
      aria-label={t('upload.title')}
      className="fixed inset-x-3 bottom-[calc(9.25rem+var(--pill))] z-30 mx-auto max-w-md animate-rise overflow-hidden rounded-2xl border border-line bg-card shadow-float lg:inset-x-auto lg:end-6 lg:bottom-6 lg:w-96"
    >
      {state === 'going' && <Awake />}
      <header className="flex items-center gap-1 py-1.5 ps-4 pe-1.5">
        <span className={`me-2 shrink-0 ${bad ? 'text-bad' : done ? 'text-good' : 'text-ember'}`}>
          <Sign state={bad ? 'bad' : state} />
        </span>
        <div className="min-w-0 flex-1">
          <p role="status" className="leading-snug font-semibold text-balance">
            {titles[state]}
          </p>
          {!done && <Amount gone={gone} total={total} going={state === 'going'} />}
          {refused.length > 0 && <Refused uploads={refused} />}
          {!done && <Hint loose={loose} mayLeave={!barrier && !elsewhere} />}
        </div>
        {!done && !barrier && (
          <IconButton label={held ? t('upload.resume') : t('upload.pause')} onClick={held ? resume : pause}>
            {held ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          </IconButton>
        )}
        <IconButton label={t('upload.files')} aria-expanded={open} onClick={() => setOpened(!open)}>
          <ChevronDown className={`transition ${open ? '' : 'rotate-180'}`} aria-hidden="true" />
        </IconButton>
        {done && (
          <IconButton label={t('common.close')} onClick={() => dismiss(each => each.eventId === eventId)}>
            <X aria-hidden="true" />
          </IconButton>
        )}
      </header>
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

type AmountProps = { gone: number; total: number; going: boolean }
/** How much is sent, how fast, and how long the rest takes. */
const Amount = ({ gone, total, going }: AmountProps) => {
  const { t } = useWords()
  const rate = useRate(gone)
  const parts = [t('upload.bytes', { sent: sizeOf(gone), total: sizeOf(total) })]
  if (going && rate > 0) parts.push(t('upload.rate', { size: sizeOf(rate) }), leftOf((total - gone) / rate))
  return <p className="text-sm text-soft tabular-nums">{parts.join(' · ')}</p>
}

type HintProps = { loose: number; mayLeave: boolean }
/** Whether the page may be closed meanwhile. */
const Hint = ({ loose, mayLeave }: HintProps) => {
  const { t } = useWords()
  if (loose === 0 && !mayLeave) return null
  return (
    <p className="text-sm leading-snug text-pretty text-soft">
      {loose > 0 ? t('upload.stay', { count: loose }) : t('upload.back')}
    </p>
  )
}

const Refused = ({ uploads }: { uploads: readonly Upload[] }) => {
  const { t } = useWords()
  const whys = new Set(uploads.map(whyOf))
  return (
    <p className="text-sm leading-snug text-pretty text-bad">
      {uploads.length === 1 ? <bdi>{uploads[0]?.file.name}</bdi> : t('upload.refused', { count: uploads.length })}
      {whys.size === 1 && `: ${[...whys][0]}`}
    </p>
  )
}

type StoppedProps = { eventId: number; barrier: Parameters<typeof whyOf>[0]; left: number }
/** Something keeps all of them from going on. */
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

const sumsOf = (all: readonly Upload[]) => {
  const left = all.filter(each => !isDone(each))
  return {
    left,
    refused: all.filter(({ state }) => state === 'refused'),
    twins: all.filter(each => isSafe(each) && each.twin),
    bytes: left.reduce((sum, upload) => sum + bytesOf(upload), 0),
  }
}

const doneWords = (safe: number, already: number) =>
  [safe > 0 && t('upload.safe', { count: safe }), already > 0 && t('upload.already', { count: already })]
    .filter(Boolean)
    .join(' · ') || t('upload.none')

type State = 'done' | 'held' | 'going' | 'paused' | 'bad'
const Sign = ({ state }: { state: State }) => {
  if (state === 'going') return <Spinner className="size-6" />
  const Icon = { bad: CircleAlert, done: Check, held: CirclePause, paused: CloudOff }[state]
  return <Icon aria-hidden="true" />
}

/** A phone that goes to sleep sends nothing. */
const Awake = () => {
  useWakeLock()
  return null
}
