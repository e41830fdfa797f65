import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'
import type { Change } from './announce.ts'

export const logChanges = async (tx: Transaction, given: readonly Change[]): Promise<void> => {
  await sql`
    with given as materialized (
      select nextval(pg_get_serial_sequence('changes', 'id')) as id, g.*
      from json_to_recordset(${JSON.stringify(given)}::json) g (kind text, audience text, "eventId" bigint,
        "userId" bigint, "actorId" bigint, "subjectId" bigint, detail jsonb, notify boolean)
    ), logged as (
      insert into changes (id, kind, audience, event_id, user_id, actor_id, subject_id, detail)
      overriding system value
      select id, kind, audience, "eventId", "userId", "actorId", "subjectId", detail from given
    )
    insert into unnotified_changes (change_id) select id from given where notify`.execute(tx)
}

/**
 * Log changes for a statement that performs many acts at once, as CTEs. `rows` selects kind, audience, event_id,
 * user_id, actor_id, subject_id and detail, in the order of the acts, whose locks are held by then. The caller calls
 * `notifyListeners` after the commit.
 */
export const announced = (rows: RawBuilder<unknown>, { notify }: { notify: boolean }) => sql`
  announced as (
    insert into changes (kind, audience, event_id, user_id, actor_id, subject_id, detail) ${rows} returning id
  ), to_notify as (
    insert into unnotified_changes (change_id) select id from announced where ${sql.lit(notify)}
  )`
