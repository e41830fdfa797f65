import { daysAgo } from '../app/date-format.ts'
import type { Notification } from './queries.ts'

/** What stands in one row: what rang last, and whatever else says the same of the same. */
export type Row = { newest: Notification; others: Notification[] }

/**
 * Of what a row may tell more than once: likes and comments of one photo, who wants to join one event on one day. Mentions
 * stand alone, as they are for somebody.
 */
export const kindOfRow = ({ notification_kind: kind }: Notification) => {
  if (kind === 'photo_like') return 'Likes'
  if (kind === 'photo_comment' || kind === 'comment_reply') return 'Comments'
  return kind === 'join_request' ? 'Requests' : undefined
}

/** What of two notifications is the same where they stand in one row. */
const subjectOfRow = (notification: Notification) => {
  const { subject_id, event_id, updated_at } = notification
  const kind = kindOfRow(notification)
  if (kind === 'Likes') return subject_id
  return kind === 'Comments' ? photoOf(notification) : kind && `${event_id} ${daysAgo(updated_at)}`
}

/** A row stands where the newest in it is. */
export const folded = (notifications: readonly Notification[]): Row[] => {
  const rows: Row[] = []
  const known = new Map<string, Row>()
  for (const each of notifications) {
    const subject = subjectOfRow(each) ?? undefined
    const key = subject === undefined ? undefined : `${kindOfRow(each)} ${subject}`
    const row = key === undefined ? undefined : known.get(key)
    if (row) {
      row.others.push(each)
      continue
    }
    const fresh = { newest: each, others: [] }
    rows.push(fresh)
    if (key !== undefined) known.set(key, fresh)
  }
  return rows
}

/** How many acts a row stands for. */
export const actsOf = ({ newest, others }: Row) =>
  [newest, ...others].reduce((sum, { notification_count }) => sum + notification_count, 0)

export const isUnread = ({ newest, others }: Row) => [newest, ...others].some(({ read }) => !read)

/** The photo that a notification leads to, or the newest or most loved one of those that it tells of. */
export const photoOf = ({ notification_kind: kind, notification_link, subject_id }: Notification) =>
  kind === 'photos_added' || kind === 'recap' ? subject_id?.toString() : /\/photos\/(\d+)/.exec(notification_link)?.[1]
