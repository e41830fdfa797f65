import { Check } from 'lucide-react'
import { useRef } from 'react'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { useSwipeAway } from '../../ui/layers/swipe-away.ts'
import type { Photo } from '../queries.ts'

/** Large enough to see what is to be decided about; a finger pushes it to one side as by the keys. */
export const First = ({ photo, onSwiped }: { photo: Photo; onSwiped(to: 'left' | 'right'): void }) => {
  const place = useRef<HTMLDivElement>(null)
  useSwipeAway(place, onSwiped)
  const alt = photo.extra.alt_text ?? ''
  return (
    <div ref={place} className="touch-pan-y overflow-hidden rounded-2xl bg-sunken">
      {photo.extra.video_state?.state === 'ready' ? (
        // biome-ignore lint/a11y/useMediaCaption: guests' films have no captions.
        <video
          src={photo.event_photo_url}
          poster={photo.extra.video_state.poster_url}
          aria-label={alt}
          controls
          playsInline
          preload="none"
          className="mx-auto h-[50dvh] w-full object-contain"
        />
      ) : (
        <img
          src={photo.extra.screen_url}
          alt={alt}
          draggable={false}
          className="mx-auto h-[50dvh] w-full object-contain"
        />
      )}
    </div>
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
          alt={photo.extra.alt_text ?? ''}
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
        />
        {selected && (
          <span className="absolute start-1.5 top-1.5 grid size-7 place-items-center rounded-full bg-ember text-on-ember">
            <Check className="size-4.5" aria-hidden="true" />
          </span>
        )}
      </button>
      <span className="truncate text-sm text-soft" dir="auto">
        {name}
      </span>
    </li>
  )
}
