import { daysAgo } from '../app/date-format.ts'
import type { Notification } from './queries.ts'

/** Notifications in one row: the latest, and all others of the same kind about the same subject. */
export type Row = { newest: Notification; others: Notification[] }

/**
 * Kinds that a row may combine: likes and comments of one photo, requests to join one event on one day. Mentions stand
 * alone, as they are for somebody.
 */
export const kindOfRow = ({ notification_kind: kind }: Notification) => {
  if (kind === 'photo_like') return 'Likes'
  if (kind === 'photo_comment' || kind === 'comment_reply') return 'Comments'
  return kind === 'join_request' ? 'Requests' : undefined
}

/** The subject that notifications in one row share. */
const subjectOfRow = (notification: Notification) => {
  const { subject_id, event_id, updated_at } = notification
  const kind = kindOfRow(notification)
  if (kind === 'Likes') return subject_id
  return kind === 'Comments' ? photoOf(notification) : kind && `${event_id} ${daysAgo(updated_at)}`
}

/** A row stands at the place of its newest notification. */
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

/** The photo that a notification opens, or the newest or most liked one of several. */
export const photoOf = ({ notification_kind: kind, notification_link, subject_id }: Notification) =>
  kind === 'photos_added' || kind === 'recap' ? subject_id?.toString() : /\/photos\/(\d+)/.exec(notification_link)?.[1]
