import { ago } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { actsOf, isUnread, kindOfRow, type Row } from './grouped-rows.ts'
import { NotificationMenu } from './notification-menu.tsx'
import { Thumbnail } from './thumbnail.tsx'

type Props = { row: Row; onWhy(): void }

/** Opens its subject, and marks it as read. */
export const NotificationRow = ({ row, onWhy }: Props) => {
  const { t } = useWords()
  const { newest, others } = row
  const { notification_title, notification_body, notification_link, notification_count, updated_at } = newest
  const unread = isUnread(row)
  // A notification's own text contains its own count.
  const more = actsOf(row) - notification_count
  // The channel's notification.read changes the list and the badges.
  const markRead = () => {
    for (const { id, read } of [newest, ...others])
      if (!read) void api.notifications.readNotification({ notification_id: id }).catch(() => {})
  }
  return (
    <li className={`flex items-center rounded-2xl ${unread ? 'bg-glow/60' : ''}`}>
      <Link
        href={notification_link}
        onClick={markRead}
        className="flex min-w-0 flex-1 items-start gap-4 rounded-2xl p-3 hover:bg-hover"
      >
        <span className="size-12 shrink-0">
          <Thumbnail notification={newest} unread={unread} />
        </span>
        <span className="min-w-0 flex-1">
          {unread && <span className="sr-only">{t('notifications.new')} </span>}
          <span className="line-clamp-3 leading-snug font-semibold" dir={directionOf(notification_title)}>
            {notification_title}
          </span>
          <span className="line-clamp-2 text-sm text-soft" dir={directionOf(notification_body)}>
            {notification_body}
          </span>
          {more > 0 && (
            <span className="block text-sm text-soft">
              {t(`notifications.more${kindOfRow(newest) ?? 'Likes'}`, { count: more })}
            </span>
          )}
          <time dateTime={updated_at} className="text-xs text-soft">
            {ago(updated_at)}
          </time>
        </span>
      </Link>
      <span className="size-11 shrink-0">
        <NotificationMenu unread={unread} onRead={markRead} onWhy={onWhy} />
      </span>
    </li>
  )
}

/**
 * A sentence of ours, recognised by the isolation marks around the names in it, follows the page's direction; user text
 * follows its first letter.
 */
const directionOf = (words: string) => (words.includes('\u2068') ? undefined : 'auto')
