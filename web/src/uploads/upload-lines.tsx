import { useQuery } from '@tanstack/react-query'
import { Check, RotateCw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { photoQuery } from '../gallery/queries.ts'
import { IconButton } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { foldTwin, keepTwin } from './duplicate-photos.ts'
import { bytesOf, isHopeless, isSafe, type Upload, whyOf } from './upload.ts'
import { sent } from './upload-list.ts'
import { dismiss, sendAgain } from './upload-queue.ts'

const linesAtATime = 50

/** Each file; of thousands, as many as were scrolled to. */
export const UploadLines = ({ uploads }: { uploads: readonly Upload[] }) => {
  const [shown, setShown] = useState(linesAtATime)
  if (uploads.length === 0) return null
  return (
    <div className="scroll-thin max-h-[40dvh] overflow-y-auto border-t border-line">
      <ul>
        {uploads.slice(0, shown).map(upload => (
          <li key={upload.at}>
            {upload.twin ? <Twin upload={upload} twin={upload.twin} /> : <Line upload={upload} />}
          </li>
        ))}
      </ul>
      <LoadMore more={shown < uploads.length} loading={false} load={() => setShown(shown + linesAtATime)} />
    </div>
  )
}

const line = 'flex min-h-14 items-center gap-2 py-1 ps-4 pe-2'

const Line = ({ upload }: { upload: Upload }) => {
  const { t } = useWords()
  const { at, file, state } = upload
  const bytes = useStore(sent).get(at) ?? 0
  const percent = Math.floor((100 * bytes) / Math.max(bytesOf(upload), 1))
  const words =
    state === 'refused'
      ? whyOf(upload)
      : state === 'sending' && bytes > 0
        ? percent < 100
          ? t('upload.percent', { percent })
          : t('upload.preparing')
        : t(`upload.state.${state}`)
  return (
    <div className={line}>
      <Named upload={upload} tone={state === 'refused' ? 'text-bad' : isSafe(upload) ? 'text-good' : 'text-soft'}>
        {words}
      </Named>
      {state === 'refused' && !isHopeless(upload) && (
        <IconButton label={t('upload.again', { name: file.name })} onClick={() => sendAgain(at)}>
          <RotateCw />
        </IconButton>
      )}
      {(state === 'refused' || state === 'waiting') && (
        <IconButton label={t('upload.leaveOut', { name: file.name })} onClick={() => dismiss(each => each.at === at)}>
          <X />
        </IconButton>
      )}
    </div>
  )
}

/** Added, although it looks the same as an existing one: the user decides whether to keep both. */
const Twin = ({ upload, twin }: { upload: Upload; twin: NonNullable<Upload['twin']> }) => {
  const { t } = useWords()
  const { data: earlier } = useQuery(photoQuery(twin.sameAs))
  const { name } = upload.file
  return (
    <div className={line}>
      {earlier && (
        <img src={earlier.event_photo_preview_url} alt="" className="size-11 shrink-0 rounded-xl object-cover" />
      )}
      <Named upload={upload} tone="text-soft">
        {t('upload.sameAs')}
      </Named>
      <IconButton label={t('upload.keepBoth', { name })} onClick={() => keepTwin(upload)}>
        <Check />
      </IconButton>
      <IconButton label={t('upload.fold', { name })} onClick={() => void foldTwin(upload).catch(sayFailure)}>
        <Trash2 />
      </IconButton>
    </div>
  )
}

const Named = ({ upload, tone, children }: { upload: Upload; tone: string; children: string }) => (
  <span className="min-w-0 flex-1">
    <span className="block truncate text-sm font-medium" title={upload.file.name} dir="auto">
      {upload.file.name}
    </span>
    <span className={`block text-sm ${tone}`}>{children}</span>
  </span>
)
