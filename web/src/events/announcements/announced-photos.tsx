import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { Link } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'

type Props = { eventId: number; ids: readonly number[] }

/** What an announcement shows of the album; nothing for a photo that is gone or hidden. */
export const AnnouncedPhotos = ({ eventId, ids }: Props) =>
  ids.length > 0 && (
    <ul className="grid grid-cols-3 gap-2">
      {ids.map(id => (
        <li key={id} className="aspect-square overflow-hidden rounded-xl bg-sunken">
          <Announced eventId={eventId} id={id} />
        </li>
      ))}
    </ul>
  )

const Announced = ({ eventId, id }: { eventId: number; id: number }) => {
  const { t } = useWords()
  const { data: photo } = useQuery({
    queryKey: ['announced-photo', id],
    queryFn: ({ signal }) => api.gallery.readPhoto({ event_photo_id: id }, { signal }),
    retry: false,
  })
  if (!photo) return null
  return (
    <Link href={`/events/${eventId}/photos/${id}`}>
      <img
        src={`${photo.event_photo_preview_url}&w=400`}
        alt={photo.extra.alt_text ?? photo.extra.caption ?? t('announce.photo')}
        loading="lazy"
        className="size-full object-cover"
      />
    </Link>
  )
}
