import { allRows } from '../platform/database/rows.ts'
import type { ExportPart } from '../platform/export/export-part.ts'

/** Friends, requests, blocks and reports made by the person. Who blocked or reported them is not included. */
export const peopleExport: ExportPart[] = [
  {
    name: 'friends',
    tables: ['friendships'],
    rows: (db, userId) => allRows<object>(db)`
        select u.id, u.username, u.first_name, u.last_name, f.created_at as friends_since
        from friendships f join users u on u.id = f.friend_id
        where f.user_id = ${userId} order by u.id`,
  },
  {
    name: 'friend-requests',
    tables: ['friend_requests'],
    rows: (db, userId) => allRows<object>(db)`
        select u.id, u.username, case when r.asker_id = ${userId} then 'sent' else 'received' end as direction, r.created_at
        from friend_requests r
          join users u on u.id = case when r.asker_id = ${userId} then r.asked_id else r.asker_id end
        where r.asker_id = ${userId} or r.asked_id = ${userId} order by u.id`,
  },
  {
    name: 'blocked',
    tables: ['blocks'],
    rows: (db, userId) => allRows<object>(db)`
        select u.id, u.username, b.created_at from blocks b join users u on u.id = b.blocked_id
        where b.blocker_id = ${userId} order by u.id`,
  },
  {
    name: 'reports',
    tables: ['reports'],
    rows: (db, userId) => allRows<object>(db)`
        select id, type, target_id, reason, status, created_at from reports
        where reporter_id = ${userId} order by id`,
  },
]
