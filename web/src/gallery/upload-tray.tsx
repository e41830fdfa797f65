import { Check, ChevronDown, CircleAlert, CloudOff, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { count } from '../app/moments.ts'
import { online } from '../app/network.ts'
import { sizeOf } from '../app/sizes.ts'
import { useStore } from '../app/store.ts'
import { t, useWords } from '../app/words.ts'
import { IconButton } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { isDone, isSafe, type Upload } from './upload.ts'
import { sent, uploads } from './upload-list.ts'
import { dismiss, sendAgain } from './upload-queue.ts'
import { leftOf, useRate } from './upload-rate.ts'
import { sentBefore, sentBeforeOf } from './uploaded-before.ts'

/** How far the files are that were chosen for this album, and at the end that all are safe. */
export const UploadTray = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const all = useStore(uploads).filter(each => each.eventId === eventId)
  const bytes = useStore(sent)
  const reachable = useStore(online)
  const earlier = useStore(sentBefore)
  const [opened, setOpened] = useState<boolean>()
  const [first] = all
  const before = first ? sentBeforeOf(earlier, first) : { files: 0, bytes: 0 }
  const total = all.reduce((sum, { file }) => sum + file.size, before.bytes) || 1
  const gone = all.reduce(
    (sum, each) => sum + (isDone(each) ? each.file.size : (bytes.get(each.at) ?? 0)),
    before.bytes,
  )
  const rate = useRate(gone)
  if (!first) return null
  const safe = before.files + all.filter(isSafe).length
  const refused = all.filter(({ state }) => state === 'refused')
  const whys = new Set(refused.map(whyOf))
  const done = all.every(isDone)
  // Which were refused and why is read without asking, where one line cannot say it.
  const open = opened ?? (done && refused.length > 1)
  const listed = done ? [...refused, ...all.filter(isSafe)] : all
  const said = { sent: count(safe), total: count(before.files + all.length) }
  const title = done ? t('upload.done', said) : reachable ? t('upload.going', said) : t('upload.paused', said)
  return (
    <section
      aria-label={t('upload.title')}
      className="fixed inset-x-3 bottom-37 z-30 mx-auto max-w-md animate-rise overflow-hidden rounded-2xl border border-line bg-card shadow-float lg:inset-x-auto lg:end-6 lg:bottom-6 lg:w-96"
    >
      <header className="flex items-center gap-3 py-1.5 ps-4 pe-1.5">
        <span className={`shrink-0 ${refused.length > 0 ? 'text-bad' : done ? 'text-good' : 'text-ember'}`}>
          <Sign done={done} refused={refused.length} reachable={reachable} />
        </span>
        <div className="min-w-0 flex-1">
          <p role="status" className="leading-snug font-semibold text-balance">
            {title}
          </p>
          {!done && (
            <p className="text-sm text-soft tabular-nums">
              {[
                t('upload.bytes', { sent: sizeOf(gone), total: sizeOf(total) }),
                ...(reachable && rate > 0
                  ? [t('upload.rate', { size: sizeOf(rate) }), leftOf((total - gone) / rate)]
                  : []),
              ].join(' · ')}
            </p>
          )}
          {refused.length > 0 && (
            <p className="text-sm leading-snug text-pretty text-bad">
              {refused.length === 1 ? (
                <bdi>{refused[0]?.file.name}</bdi>
              ) : (
                t('upload.refused', { count: refused.length })
              )}
              {whys.size === 1 && `: ${[...whys][0]}`}
            </p>
          )}
        </div>
        <IconButton label={t('upload.files')} aria-expanded={open} onClick={() => setOpened(!open)}>
          <ChevronDown className={`transition ${open ? '' : 'rotate-180'}`} aria-hidden="true" />
        </IconButton>
        {done && (
          <IconButton label={t('common.close')} onClick={() => dismiss(each => each.eventId === eventId)}>
            <X aria-hidden="true" />
          </IconButton>
        )}
      </header>
      {!done && (
        <progress
          className="block h-1.5 w-full appearance-none bg-sunken [&::-moz-progress-bar]:bg-ember [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ember"
          aria-label={t('upload.title')}
          max={total}
          value={gone}
        />
      )}
      {open && (
        <ul className="scroll-thin max-h-[40dvh] overflow-y-auto border-t border-line px-1.5 py-1">
          {listed.map(each => (
            <Line key={each.at} upload={each} sent={bytes.get(each.at) ?? 0} />
          ))}
        </ul>
      )}
    </section>
  )
}

const whyOf = ({ said, reason = 'other' }: Upload) => said ?? t(`upload.reason.${reason}`)

const Sign = ({ done, refused, reachable }: { done: boolean; refused: number; reachable: boolean }) => {
  if (done) return refused > 0 ? <CircleAlert aria-hidden="true" /> : <Check aria-hidden="true" />
  return reachable ? <Spinner className="size-6" /> : <CloudOff aria-hidden="true" />
}

const Line = ({ upload, sent }: { upload: Upload; sent: number }) => {
  const { t } = useWords()
  const { at, file, state, reason } = upload
  const percent = Math.floor((100 * sent) / Math.max(file.size, 1))
  const words =
    state === 'refused'
      ? whyOf(upload)
      : state === 'sending' && sent > 0
        ? percent < 100
          ? t('upload.percent', { percent })
          : t('upload.preparing')
        : t(`upload.state.${state}`)
  return (
    <li className="flex min-h-12 items-center gap-2 py-1 ps-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">
          <bdi>{file.name}</bdi>
        </span>
        <span
          className={`block text-sm ${state === 'refused' ? 'text-bad' : isSafe(upload) ? 'text-good' : 'text-soft'}`}
        >
          {words}
        </span>
      </span>
      {state === 'refused' && reason !== 'type' && reason !== 'tooBig' && (
        <IconButton label={t('upload.again', { name: file.name })} onClick={() => sendAgain(at)}>
          <RotateCw aria-hidden="true" />
        </IconButton>
      )}
      {(state === 'refused' || state === 'waiting') && (
        <IconButton label={t('upload.leaveOut', { name: file.name })} onClick={() => dismiss(each => each.at === at)}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </li>
  )
}
