import { ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { heldBack } from './blocks.ts'
import type { Photo } from './queries.ts'

const idOf = ({ id }: Photo) => id

/** How many new photos wait above the reader's place. */
export const useHeldBack = (photos: readonly Photo[], firstPage: number | undefined, away: boolean) => {
  const known = useRef<ReadonlySet<string>>(new Set())
  const knownFrom = useRef(firstPage)
  const held = away && knownFrom.current === firstPage ? heldBack(photos, known.current, idOf) : 0
  const shownFrom = photos[held]?.id
  useEffect(() => {
    const from = photos.findIndex(({ id }) => id === shownFrom)
    known.current = new Set(photos.slice(Math.max(from, 0)).map(idOf))
    knownFrom.current = firstPage
  }, [photos, shownFrom, firstPage])
  return held
}

/** A button that scrolls up to them. */
export const NewPhotos = ({ held }: { held: number }) => {
  const { t } = useWords()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-32 z-20 flex justify-center">
      {held > 0 && (
        <button
          type="button"
          onClick={() => scrollTo({ top: 0, behavior: 'smooth' })}
          className={buttonClass('main', 'small', 'pointer-events-auto animate-rise')}
        >
          <ArrowUp className="size-4.5" />
          {t('gallery.new', { count: held })}
        </button>
      )}
    </div>
  )
}
