import { Check, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Button } from '../../ui/button.tsx'
import { useSwipeAway } from '../../ui/layers/swipe-away.ts'
import { altOf } from '../alt.ts'
import type { Photo } from '../queries.ts'

/** The previous photo had the focus, which the next one takes over. */
let hadFocus = false

type FirstProps = { photo: Photo; onDecide(approve: boolean): void }

/** Large enough to decide about: with a button, a finger, or the arrow keys while it has the focus. */
export const First = ({ photo, onDecide }: FirstProps) => {
  const { t } = useWords()
  const place = useRef<HTMLFieldSetElement>(null)
  const decide = (approve: boolean) => {
    hadFocus = place.current?.contains(document.activeElement) === true
    onDecide(approve)
  }
  useSwipeAway(place, to => decide(to === 'right'))
  useEffect(() => {
    if (hadFocus) place.current?.focus()
    hadFocus = false
  }, [])
  const alt = altOf(photo, t)
  const onKeyDown = ({ key, repeat, target, currentTarget }: KeyboardEvent) => {
    if (target !== currentTarget || repeat) return
    if (key === 'ArrowRight' || key === 'ArrowLeft') decide(key === 'ArrowRight')
  }
  return (
    <fieldset
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys decide about it.
      tabIndex={0}
      aria-label={alt}
      onKeyDown={onKeyDown}
      className="grid min-w-0 touch-pan-y gap-2 overflow-hidden rounded-2xl"
    >
      {photo.extra.video_state?.state === 'ready' ? (
        // biome-ignore lint/a11y/useMediaCaption: guests' films have no captions.
        <video
          src={photo.event_photo_url}
          poster={photo.extra.video_state.poster_url}
          aria-label={alt}
          controls
          playsInline
          preload="none"
          className="mx-auto h-[50dvh] w-full rounded-2xl bg-sunken object-contain"
        />
      ) : (
        <img
          src={photo.extra.screen_url}
          alt={alt}
          draggable={false}
          className="mx-auto h-[50dvh] w-full rounded-2xl bg-sunken object-contain"
        />
      )}
      <Words photo={photo} />
      <div className="flex gap-2">
        <Button look="quiet" className="flex-1" icon={<X className="size-5" />} onClick={() => decide(false)}>
          {t('waiting.refuse')}
        </Button>
        <Button look="soft" className="flex-1" icon={<Check className="size-5" />} onClick={() => decide(true)}>
          {t('waiting.approve')}
        </Button>
      </div>
    </fieldset>
  )
}

/** They are approved with the photo. */
const Words = ({ photo: { extra, taken_by } }: { photo: Photo }) => {
  const { t } = useWords()
  const { caption, alt_text } = extra.new_words ?? extra
  return (
    <p className="min-w-0 text-sm wrap-anywhere">
      {extra.new_words && <span className="block font-semibold">{t('waiting.newWords')}</span>}
      {[caption, alt_text, extra.new_words?.name ?? nameOf(taken_by)].map(
        (text, n) =>
          text && (
            // biome-ignore lint/suspicious/noArrayIndexKey: each has its place.
            <bdi key={n} className="block">
              {text}
            </bdi>
          ),
      )}
    </p>
  )
}

type WaitingProps = { photo: Photo; selected: boolean; next: boolean; onSelect(): void }

export const Waiting = ({ photo, selected, next, onSelect }: WaitingProps) => {
  const { t } = useWords()
  const name = nameOf(photo.taken_by)
  return (
    <li className="grid gap-1">
      <button
        type="button"
        aria-pressed={selected}
        aria-label={t('waiting.select', { name })}
        onClick={onSelect}
        className={`relative aspect-square overflow-hidden rounded-xl bg-sunken ${next ? 'ring-4 ring-ember' : ''}`}
      >
        <img
          src={photo.event_photo_preview_url}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
        />
        {selected && (
          <span className="absolute start-1.5 top-1.5 grid size-7 place-items-center rounded-full bg-ember text-on-ember">
            <Check className="size-4.5" />
          </span>
        )}
      </button>
      <span className="truncate text-sm text-soft" dir="auto">
        {name}
      </span>
    </li>
  )
}
