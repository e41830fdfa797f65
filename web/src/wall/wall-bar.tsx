import { Expand, X } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'

type Props = { eventId: number; name: string | undefined; byLink: boolean; idle: boolean; onFull(): void }

/** Over the photos: the event's name, and buttons for people at the screen. It disappears while nobody moves. */
export const WallBar = ({ eventId, name, byLink, idle, onFull }: Props) => {
  const { t } = useWords()
  return (
    <div
      className={`absolute inset-x-0 top-4 safe-x-4 flex items-center gap-2 transition-opacity focus-within:opacity-100 ${idle ? 'opacity-0' : ''}`}
    >
      <p
        className="line-clamp-2 min-w-0 flex-1 font-display text-xl leading-tight font-semibold text-shadow-lg wrap-anywhere sm:text-2xl"
        dir="auto"
      >
        {name}
      </p>
      {document.fullscreenEnabled && (
        <button
          type="button"
          className={round}
          aria-label={t('wall.full')}
          title={t('wall.full')}
          onClick={event => {
            event.stopPropagation()
            onFull()
          }}
        >
          <Expand />
        </button>
      )}
      {!byLink && (
        <Link
          to="/events/:eventId/photos"
          params={{ eventId }}
          className={round}
          aria-label={t('common.close')}
          title={t('common.close')}
        >
          <X />
        </Link>
      )}
    </div>
  )
}

const round = 'grid size-12 place-items-center rounded-full bg-black/50 hover:bg-black/80'
