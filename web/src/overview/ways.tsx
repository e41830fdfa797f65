import { Images, MessageCircle } from 'lucide-react'
import { Link, navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { AddPhotos } from '../uploads/add-photos.tsx'

/** What guests come for. In the flow: whatever floats over this page lies over something of it on some screen. */
export const Ways = ({ event, adds }: { event: Event; adds: 'main' | 'quiet' | undefined }) => {
  const { t } = useWords()
  const params = { eventId: event.id }
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-3">
        <Link to="/events/:eventId/chat" params={params} className={buttonClass('soft', 'large')}>
          <MessageCircle className="size-5.5 shrink-0" />
          {t('event.chat')}
        </Link>
        <Link to="/events/:eventId/photos" params={params} className={buttonClass('soft', 'large')}>
          <Images className="size-5.5 shrink-0" />
          {t('event.photos')}
        </Link>
      </div>
      {adds && event.extra.may.upload && (
        <AddPhotos
          eventId={event.id}
          look={adds}
          onAdded={() => void navigate({ to: '/events/:eventId/photos', params })}
        />
      )}
    </div>
  )
}
