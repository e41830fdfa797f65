import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, anyRow, firstRow } from '../../platform/database/rows.ts'
import { listed } from '../event-list-sql.ts'
import { ownerId } from '../standing-sql.ts'

/* Events as the operator of an instance sees them: no viewer is involved. */

export type OperatedEvent = {
  id: number
  name: string
  status: 'listed' | 'unlisted' | 'cancelled' | 'deleted' | 'erased'
  by_operator: boolean
  owner: string | null
  guests: number
  starts_at: Date
  created_at: Date
  deleted_at: Date | null
}

const columns = sql`
  e.id, e.name, case when e.erased_at is not null then 'erased' when e.deleted_at is not null then 'deleted'
    when not ${listed} then 'unlisted' when e.status <> 1 then 'cancelled' else 'listed' end as status,
  e.barred is not null as by_operator,
  (select u.username from users u where u.id = ${ownerId}) as owner,
  e.guests_count as guests, e.starts_at, e.created_at, e.deleted_at`

type EventFilter = { status?: string | undefined; text?: string | undefined; before?: number | undefined; most: number }

/** The newest first. */
export const listEvents = async (db: Db, { status, text, before, most }: EventFilter) => {
  const like = text === undefined ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return allRows<OperatedEvent>(db)`
    select * from (select ${columns} from events e
      where e.id < ${before ?? Number.MAX_SAFE_INTEGER} and (${like}::text is null or e.name ilike ${like})) shown
    where (${status ?? null}::text is null or status = ${status ?? null})
    order by id desc limit ${most}`
}

export const findEvent = (db: Db, id: number) =>
  firstRow<OperatedEvent>(db)`select ${columns} from events e where e.id = ${id}`

/** False if that was decided before. */
export const setBarred = (tx: Transaction, id: number, barred: 'unlisted' | 'deleted' | null) => anyRow(tx)`
    update events set barred = ${barred} where id = ${id} and deleted_at is null and barred is distinct from ${barred}
    returning id`
