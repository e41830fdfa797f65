import type { Notification } from './queries.ts'

/** What stands in one row: what rang last, and whatever else says the same of the same photo. */
export type Row = { newest: Notification; others: Notification[] }

/** Likes of one photo are one row, where the newest of them is; everything else has a row of its own. */
export const folded = (notifications: readonly Notification[]): Row[] => {
  const rows: Row[] = []
  const likes = new Map<number, Row>()
  for (const each of notifications) {
    const { notification_kind: kind, subject_id: photo } = each
    const row = kind === 'photo_like' && photo !== null ? likes.get(photo) : undefined
    if (row) {
      row.others.push(each)
      continue
    }
    const fresh = { newest: each, others: [] }
    rows.push(fresh)
    if (kind === 'photo_like' && photo !== null) likes.set(photo, fresh)
  }
  return rows
}

/** How many acts a row stands for. */
export const actsOf = ({ newest, others }: Row) =>
  [newest, ...others].reduce((sum, { notification_count }) => sum + notification_count, 0)

export const isUnread = ({ newest, others }: Row) => [newest, ...others].some(({ read }) => !read)

/** The photo that a notification leads to. */
export const photoOf = ({ notification_link }: Notification) => /\/photos\/(\d+)/.exec(notification_link)?.[1]
