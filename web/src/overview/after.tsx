import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Heart } from 'lucide-react'
import { useState } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { AnnounceDialog } from '../events/announcements/announce-dialog.tsx'
import type { Event } from '../events/queries.ts'
import { DownloadDialog } from '../gallery/download-dialog.tsx'
import { lovedMax, mostLoved } from '../gallery/keys.ts'
import { type Photo, photosQuery } from '../gallery/queries.ts'
import { Button } from '../ui/button.tsx'
import { LatestPhotos, PhotoPicture } from './latest-photos.tsx'

/** Once it is over: what is loved most of the album, all of it to keep, and thanks. */
export const After = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const [opened, setOpened] = useState<'download' | 'thanks'>()
  const close = () => setOpened(undefined)
  const { data } = useInfiniteQuery(photosQuery(event.id, mostLoved))
  const loved = rowsOf(data, ({ id }) => id)
    .slice(0, lovedMax)
    .filter(photo => Number(photo.event_photo_likes_count) > 0)
  return (
    <section aria-label={t('evening.after')} className="grid grid-cols-1 gap-3">
      {loved.length > 0 ? <MostLoved eventId={event.id} loved={loved} /> : <LatestPhotos eventId={event.id} />}
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          className="flex-1"
          icon={<Download className="size-5 shrink-0" />}
          onClick={() => setOpened('download')}
        >
          {t('evening.download')}
        </Button>
        {event.extra.may.announce && (
          <Button
            look="quiet"
            className="flex-1"
            icon={<Heart className="size-5 shrink-0" />}
            onClick={() => setOpened('thanks')}
          >
            {t('evening.thanks')}
          </Button>
        )}
      </div>
      {opened === 'download' && <DownloadDialog eventId={event.id} onClose={close} />}
      {opened === 'thanks' && (
        <AnnounceDialog
          eventId={event.id}
          thanks={loved.map(photo => ({ id: photo.id, picture: <PhotoPicture photo={photo} /> }))}
          onClose={close}
        />
      )}
    </section>
  )
}

const MostLoved = ({ eventId, loved }: { eventId: number; loved: readonly Photo[] }) => {
  const { t } = useWords()
  return (
    <section className="grid gap-2">
      <h2 className="flex items-center gap-2 text-sm font-semibold text-soft">
        <Heart className="size-4 fill-current text-ember" />
        {t('evening.loved')}
      </h2>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {loved.map(photo => (
          <li key={photo.id}>
            <Link
              href={`/events/${eventId}/photos/${photo.id}`}
              className="relative block aspect-square overflow-hidden rounded-2xl bg-sunken"
            >
              <PhotoPicture photo={photo} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
