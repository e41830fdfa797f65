import { useQuery } from '@tanstack/react-query'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { chatQuery } from '../chats/queries.ts'
import { GuestFaces } from '../events/guests/guest-faces.tsx'
import type { Event } from '../events/queries.ts'
import { timelineQuery } from '../gallery/timeline/album-timeline.tsx'

/** The evening as three counts: people, photos, messages. */
export const EveningInNumbers = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const photos = useQuery({ ...timelineQuery(event.id, {}), enabled: event.extra.may.album }).data
    ?.timeline_photos_count
  const messages = useQuery(chatQuery(event.group_chat_id)).data?.extra.last_sequence
  const all = [
    t('event.guests', { count: event.event_guests_count }),
    photos ? t('gallery.count', { count: photos }) : '',
    messages ? t('evening.messages', { count: messages }) : '',
  ]
  return (
    <Link to="/events/:eventId/guests" params={{ eventId: event.id }} className="grid gap-1 rounded-xl hover:bg-hover">
      <span className="font-semibold">{all.filter(Boolean).join(' · ')}</span>
      <GuestFaces eventId={event.id} />
    </Link>
  )
}
