import { useAlt } from '../gallery/alt.ts'
import type { Photo } from '../gallery/queries.ts'
import { nameOf } from '../people/names.ts'
import { codeWidth } from './wall-code.tsx'
import { type ShownPhoto, withBeside } from './wall-content.ts'

/**
 * Text that is readable from ten metres: four hundredths of the screen's height; on a phone at least as large as normal
 * text.
 */
export const readable = 'text-[max(1.25rem,4.4vh)]'

/** A photo over its own blur, with those beside it. */
export const Picture = ({ shown, leaving = false, onEnd }: { shown: ShownPhoto; leaving?: boolean; onEnd(): void }) => {
  const moving = leaving ? 'opacity-0 transition-opacity duration-1000' : 'animate-[fade_1s_ease-out]'
  return (
    <div aria-hidden={leaving}>
      <img
        src={shown.still}
        alt=""
        className={`absolute inset-0 size-full scale-110 object-cover blur-3xl brightness-40 ${moving}`}
      />
      <div
        aria-hidden={leaving}
        className={`absolute inset-0 flex gap-[1vw] ${shown.beside.length > 0 ? 'p-[2vw]' : ''} ${moving}`}
      >
        {shown.film && !leaving ? (
          <video
            src={shown.film}
            poster={shown.still}
            muted
            autoPlay
            playsInline
            onEnded={onEnd}
            onError={onEnd}
            className="size-full object-contain"
          >
            <track kind="captions" />
          </video>
        ) : (
          withBeside(shown).map(({ photo, still }) => <Still key={photo.id} photo={photo} still={still} />)
        )}
        {/* As wide as the code, so that each stands over its own words. */}
        {shown.beside.length > 0 && <span className={`shrink-0 ${codeWidth}`} />}
      </div>
    </div>
  )
}

const Still = ({ photo, still }: { photo: Photo; still: string }) => (
  <img src={still} alt={useAlt(photo)} className="h-full min-w-0 flex-1 object-contain" />
)

/** The caption and uploader of each. */
export const Captions = ({ shown }: { shown: ShownPhoto }) => (
  <div className="pointer-events-none absolute inset-x-0 bottom-0 flex items-end gap-[1vw] bg-linear-to-t from-black/85 to-transparent safe-x-6 pb-6 pt-[16vh] lg:p-[2vw]">
    {withBeside(shown).map(({ photo }) => (
      <p key={photo.id} className={`min-w-0 flex-1 leading-tight text-shadow-lg ${readable}`}>
        {photo.extra.caption && (
          <span className="line-clamp-2 font-display font-semibold" dir="auto">
            {photo.extra.caption}
          </span>
        )}
        <span className="block truncate text-[0.85em] text-white/90" dir="auto">
          {nameOf(photo.taken_by)}
        </span>
      </p>
    ))}
    <span className={`shrink-0 ${codeWidth}`} />
  </div>
)
