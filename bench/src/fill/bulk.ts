import type { Client } from 'pg'

/**
 * Fills tables as fast as PostgreSQL can: without foreign keys and triggers (our data is valid, and we write what the
 * triggers would), with secondary indexes created afterwards, vacuumed and analysed.
 */
export const bulk = async (db: Client, tables: readonly string[], work: () => Promise<unknown>): Promise<void> => {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  )
  await db.query('set session_replication_role = replica')
  await db.query("set maintenance_work_mem = '512MB'")
  for (const { name } of rows) await db.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows) await db.query(definition)
  await db.query('reset session_replication_role')
  const { rows: numbered } = await db.query<{ name: string }>(
    "select attrelid::regclass::text as name from pg_attribute where attrelid = any ($1::regclass[]) and attidentity <> ''",
    [tables],
  )
  for (const { name } of numbered) {
    await db.query(
      `select setval(pg_get_serial_sequence('${name}', 'id'), (select coalesce(max(id), 0) + 1 from ${name}))`,
    )
  }
  for (const table of tables) await db.query(`vacuum (analyze, freeze) ${table}`)
}
