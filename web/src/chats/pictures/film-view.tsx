import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { FilmState } from '../../gallery/film-state.tsx'
import type { Attachment } from '../queries.ts'
import { PlaySign } from './play-sign.tsx'

/** A message's film: its still, which plays once it is tapped, or its progress. */
export const FilmView = ({ attachment: { extra } }: { attachment: Attachment }) => {
  const { t } = useWords()
  const [isPlaying, setPlaying] = useState(false)
  const { video_state: film, video_url: url, preview_url } = extra
  const isReady = film?.state === 'ready' && url !== null
  if (isPlaying && isReady)
    return (
      // biome-ignore lint/a11y/useMediaCaption: guests' films have no captions.
      <video
        src={url}
        poster={film.poster_url}
        controls
        autoPlay
        playsInline
        className="absolute inset-0 size-full bg-black object-contain"
      />
    )
  const still = <img src={preview_url} alt="" decoding="async" className="size-full object-cover" />
  return isReady ? (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => setPlaying(true)}
      aria-label={t('chat.playFilm')}
      className="absolute inset-0 outline-offset-[-3px]"
    >
      {still}
      <PlaySign />
    </button>
  ) : (
    <div className="absolute inset-0">
      {still}
      {film && (
        <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent p-3 pt-8 text-white">
          <FilmState film={film} />
        </div>
      )}
    </div>
  )
}
