import { Check, ChevronDown, CircleAlert, CirclePause, CloudOff, Pause, Play, X } from 'lucide-react'
import { count } from '../app/date-format.ts'
import { sizeOf } from '../app/sizes.ts'
import { t, useWords } from '../app/words.ts'
import { IconButton } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { isLoose, type UploadRefusal as Refusal, type Upload, whyOf } from './upload.ts'
import { thisTab } from './upload-files.ts'
import type { useProgress } from './upload-progress.ts'
import { dismiss, pause, resume } from './upload-queue.ts'
import { leftOf, useRate } from './upload-rate.ts'

type Props = {
  eventId: number
  progress: ReturnType<typeof useProgress>
  state: Exclude<State, 'bad'>
  barrier: Refusal | undefined
  held: boolean
  /** The files are listed one by one. */
  open: boolean
  onOpen(): void
}

/** The progress, in words, and the possible actions. */
export const TrayHeader = ({ eventId, progress, state, barrier, held, open, onOpen }: Props) => {
  const { t } = useWords()
  const { left, refused, tally, total, gone } = progress
  const loose = left.filter(each => each.holder === thisTab).length
  const elsewhere = left.some(each => isLoose(each) && each.holder !== thisTab)
  const done = state === 'done'
  const bad = refused.length > 0 || barrier !== undefined
  const said = { sent: count(tally.files), total: count(tally.files + left.length + refused.length) }
  const titles = {
    done: doneWords(tally.files - tally.already, tally.already),
    held: t('upload.held', said),
    going: t('upload.going', said),
    paused: t('upload.paused', said),
  }
  return (
    <header className="flex items-center gap-1 py-2 ps-4 pe-2">
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
          {held ? <Play /> : <Pause />}
        </IconButton>
      )}
      <IconButton label={t('upload.files')} aria-expanded={open} onClick={onOpen}>
        <ChevronDown className={`transition ${open ? '' : 'rotate-180'}`} />
      </IconButton>
      {done && (
        <IconButton label={t('common.close')} onClick={() => dismiss(each => each.eventId === eventId)}>
          <X />
        </IconButton>
      )}
    </header>
  )
}

type AmountProps = { gone: number; total: number; going: boolean }
/** Sent bytes, rate, and remaining time. */
const Amount = ({ gone, total, going }: AmountProps) => {
  const { t } = useWords()
  const rate = useRate(gone)
  const parts = [t('upload.bytes', { sent: sizeOf(gone), total: sizeOf(total) })]
  if (going && rate > 0) parts.push(t('upload.rate', { size: sizeOf(rate) }), leftOf((total - gone) / rate))
  return <p className="text-sm text-soft tabular-nums">{parts.join(' · ')}</p>
}

type HintProps = { loose: number; mayLeave: boolean }
/** Says whether the page may be closed meanwhile. */
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

const doneWords = (safe: number, already: number) =>
  [safe > 0 && t('upload.safe', { count: safe }), already > 0 && t('upload.already', { count: already })]
    .filter(Boolean)
    .join(' · ') || t('upload.none')

type State = 'done' | 'held' | 'going' | 'paused' | 'bad'
const Sign = ({ state }: { state: State }) => {
  if (state === 'going') return <Spinner className="size-6" />
  const Icon = { bad: CircleAlert, done: Check, held: CirclePause, paused: CloudOff }[state]
  return <Icon />
}
