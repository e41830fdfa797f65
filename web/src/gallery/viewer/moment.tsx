import { CirclePlay } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../app/words.ts'

/** A shorter press is a tap, which the viewer handles. */
const pressMs = 300
const slackPixels = 10

type Props = { url: string; look: string }

/** The video part of a photo: it plays while the photo is pressed, or from its button to its end. */
export const Moment = ({ url, look }: Props) => {
  const { t } = useWords()
  const [playing, setPlaying] = useState(false)
  const press = usePress(setPlaying)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for keyboards */}
      <div
        className={look}
        data-moment
        onPointerDown={press}
        onContextMenu={event => playing && event.preventDefault()}
      >
        {playing && (
          <video
            src={url}
            className={`${look} object-contain`}
            autoPlay
            muted
            playsInline
            onEnded={() => setPlaying(false)}
          />
        )}
      </div>
      <button
        type="button"
        className="absolute start-3 bottom-3 grid size-11 place-items-center rounded-full bg-black/50 text-white backdrop-blur-sm hover:bg-black/80"
        aria-label={t('photo.moment')}
        title={t('photo.moment')}
        aria-pressed={playing}
        onPointerDown={event => event.stopPropagation()}
        onClick={() => setPlaying(!playing)}
      >
        <CirclePlay className="size-5.5" />
      </button>
    </>
  )
}

/** Plays while a finger stays where it is. */
const usePress = (setPlaying: (playing: boolean) => void) => {
  const release = useRef(() => {})
  useEffect(() => () => release.current(), [])
  // The viewer captures pointers, so the rest of a press is observed on the window.
  return ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    release.current()
    const pressed = new AbortController()
    let played = false
    const timer = setTimeout(() => {
      played = true
      setPlaying(true)
    }, pressMs)
    release.current = () => {
      pressed.abort()
      clearTimeout(timer)
      if (played) setPlaying(false)
    }
    const move = (now: globalThis.PointerEvent) => {
      const away = Math.hypot(now.clientX - clientX, now.clientY - clientY)
      if (!played && away > slackPixels) release.current()
    }
    const { signal } = pressed
    addEventListener('pointermove', move, { signal })
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => release.current(), { signal })
  }
}
