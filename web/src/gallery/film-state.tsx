import { useEffect, useState } from 'react'
import { explained, inWords } from '../app/net/refusal-message.ts'
import { useWords } from '../app/words.ts'
import type { Photo } from './queries.ts'

type Film = NonNullable<NonNullable<Photo['extra']>['video_state']>

/** The progress of a video that cannot be played yet, or why it is waiting or failed. */
export const FilmState = ({ film: { state, progress, reason } }: { film: Film }) => {
  const { t, language } = useWords()
  const [why, setWhy] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another language it is said anew.
  useEffect(() => {
    let gone = false
    setWhy(undefined)
    if (reason) void explained().then(() => !gone && setWhy(inWords({ text: reason })))
    return () => {
      gone = true
    }
  }, [reason, language])
  return (
    <span role="status" className="block text-sm font-semibold">
      {state === 'failed' ? t('photo.filmFailed') : t('photo.filmComing', { percent: progress })}
      {why && <span className="block font-normal text-white/85">{why}</span>}
    </span>
  )
}
