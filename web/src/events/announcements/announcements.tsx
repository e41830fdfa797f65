import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { ago, daysAgo } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { proveOrSay } from '../../ui/prove-first.ts'
import { announcementsKey } from '../keys.ts'
import { AnnouncedPhotos } from './announced-photos.tsx'

type Announcement = Awaited<ReturnType<typeof api.announcements.listAnnouncements>>['data'][number]

/** How long an announcement that was read stays at the top of its event. */
const shownDays = 3

/** The organizers' announcements, at the top: in a chat until read, in the event for a few more days. */
export const Announcements = ({ eventId, unreadOnly = false }: { eventId: number; unreadOnly?: boolean }) => {
  const { data } = useQuery({
    queryKey: announcementsKey(eventId),
    queryFn: ({ signal }) =>
      api.announcements.listAnnouncements({ event_id: eventId, page: 1, page_length: 5 }, { signal }),
    staleTime: 0,
  })
  const shown = data?.data.filter(
    ({ announcement_seen, created_at }) => !announcement_seen || (!unreadOnly && daysAgo(created_at) < shownDays),
  )
  if (!shown?.length) return null
  return (
    <div className={`grid gap-3 ${unreadOnly ? 'max-h-[45dvh] overflow-auto border-b border-line p-3' : ''}`}>
      {shown.map(each => (
        <Card key={each.id} announcement={each} eventId={eventId} scrolls={unreadOnly} />
      ))}
    </div>
  )
}

type CardProps = { announcement: Announcement; eventId: number; scrolls: boolean }

const Card = ({ announcement, eventId, scrolls }: CardProps) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { id, announced_by, announcement_text, announcement_seen, announcement_seens, created_at } = announcement
  const act = useMutation({
    mutationFn: (act: 'see' | 'withdraw') =>
      api.announcements[act === 'see' ? 'seeAnnouncement' : 'withdrawAnnouncement']({ announcement_id: id }),
    onSuccess: () => client.invalidateQueries({ queryKey: announcementsKey(eventId) }),
    onError: (error, asked) => proveOrSay(error, () => act.mutate(asked)),
  })
  return (
    <section aria-label={t('announce.one')} className="grid gap-2 rounded-2xl bg-glow px-4 py-3 text-on-glow">
      <p className="flex items-center gap-2 text-sm font-semibold">
        <Megaphone className="size-5 shrink-0" aria-hidden="true" />
        <span dir="auto">{nameOf(announced_by)}</span>
        <time dateTime={created_at} className="font-normal">
          {ago(created_at)}
        </time>
      </p>
      <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
        {announcement_text}
      </p>
      <AnnouncedPhotos eventId={eventId} ids={announcement.announcement_photo_ids} />
      {announcement_seens && <Readers announcement={announcement} />}
      {/* In sight however long the words before it are. */}
      <div
        className={`-mx-4 -mb-3 flex flex-wrap gap-2 rounded-b-2xl bg-glow px-4 pb-3 ${scrolls ? 'sticky -bottom-3' : ''}`}
      >
        {!announcement_seen && (
          <Button size="small" busy={act.isPending} onClick={() => act.mutate('see')}>
            {t('announce.gotIt')}
          </Button>
        )}
        {announcement_seens && (
          <Button size="small" look="quiet" className="text-ink" onClick={() => act.mutate('withdraw')}>
            {t('announce.withdraw')}
          </Button>
        )}
      </div>
    </section>
  )
}

const Readers = ({ announcement }: { announcement: Announcement }) => {
  const { t } = useWords()
  const { announcement_seens: readers, announcement_seens_count: many } = announcement
  if (!many) return <p className="text-sm">{t('announce.unread')}</p>
  return (
    <details className="text-sm">
      <summary className="min-h-11 cursor-pointer content-center">{t('announce.readBy', { count: many })}</summary>
      <ul className="grid grid-cols-1 max-h-60 gap-2 overflow-auto py-1">
        {readers?.map(reader => (
          <li key={reader.id} className="flex items-center gap-2">
            <Avatar src={reader.user_avatar_url} size={28} />
            <span dir="auto">{nameOf(reader)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
