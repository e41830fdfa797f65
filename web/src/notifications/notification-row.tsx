import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  AtSign,
  BellRing,
  CalendarClock,
  CalendarX2,
  CircleHelp,
  Heart,
  type LucideIcon,
  Mail,
  MessageCircle,
  Reply,
  SmilePlus,
  UserRoundCheck,
  UserRoundPlus,
} from 'lucide-react'
import { api } from '../app/client.ts'
import { ago } from '../app/moments.ts'
import { useWords } from '../app/words.ts'
import { IconButton } from '../ui/button.tsx'
import type { Notification } from './queries.ts'

const icons: Partial<Record<Notification['notification_kind'], LucideIcon>> = {
  message: MessageCircle,
  mention: AtSign,
  comment_mention: AtSign,
  message_reply: Reply,
  comment_reply: Reply,
  photo_comment: MessageCircle,
  message_reaction: SmilePlus,
  comment_reaction: SmilePlus,
  photo_like: Heart,
  join_request: UserRoundPlus,
  join_approved: UserRoundCheck,
  friend_request: UserRoundPlus,
  invitation: Mail,
  event_changed: CalendarClock,
  event_cancelled: CalendarX2,
}

/** Leads to what it is about, and is read by that. */
export const NotificationRow = ({ notification, onWhy }: { notification: Notification; onWhy(): void }) => {
  const { t } = useWords()
  const { id, notification_kind, notification_title, notification_body, notification_link, read, updated_at } =
    notification
  const Icon = icons[notification_kind] ?? BellRing
  // The channel's notification.read changes the list and the badges.
  const markRead = useMutation({ mutationFn: () => api.notifications.readNotification({ notification_id: id }) })
  return (
    <li className={`flex items-center rounded-2xl ${read ? '' : 'bg-glow/60'}`}>
      <Link
        to={notification_link}
        onClick={() => !read && markRead.mutate()}
        className="flex min-w-0 flex-1 items-start gap-3.5 rounded-2xl p-3 hover:bg-hover"
      >
        <span
          className={`mt-0.5 grid size-10 shrink-0 place-items-center rounded-full ${read ? 'bg-sunken text-soft' : 'bg-ember text-on-ember'}`}
        >
          <Icon className="size-5" aria-hidden="true" />
        </span>
        <span className="min-w-0 flex-1">
          {!read && <span className="sr-only">{t('notifications.new')} </span>}
          <span className="line-clamp-2 leading-snug font-semibold" dir="auto">
            {notification_title}
          </span>
          <span className="line-clamp-2 text-sm text-soft" dir="auto">
            {notification_body}
          </span>
          <time dateTime={updated_at} className="text-xs text-soft">
            {ago(updated_at)}
          </time>
        </span>
      </Link>
      <IconButton label={t('trace.why')} onClick={onWhy}>
        <CircleHelp aria-hidden="true" />
      </IconButton>
    </li>
  )
}
