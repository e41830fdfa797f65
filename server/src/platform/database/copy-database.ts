import { pipeline } from 'node:stream/promises'
import type { QueryResultRow } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { CannotStart } from '../process/cannot-start.ts'
import { type Connection, newConnection } from './connection.ts'
import { readDatabaseAddress } from './database-address.ts'

export type MovedTable = { table: string; rows: number }

const schemas = ['public']
/** Both sides write and read values in the same format. */
const sameWords = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'`
const name = 'afterglow database move'

/**
 * Copies every row of an instance's database into another with the same tables, from one snapshot and in one
 * transaction: it arrives completely or not at all. The source is only read. Throws CannotStart if the target contains
 * data, or if not every row arrived.
 */
export async function copyDatabase(
  sourceUrl: string,
  targetUrl: string,
  onTable: (moved: MovedTable) => void,
): Promise<MovedTable[]> {
  const [source, target] = [patient(sourceUrl), patient(targetUrl)]
  try {
    await Promise.all([source.connect(), target.connect()])
    for (const side of [source, target]) await side.query(sameWords)
    await source.query('begin isolation level repeatable read read only')
    await target.query('begin')
    const tables = await rowsOf<Table>(target, tablesOf, [schemas])
    await demandSameTables(tables, await rowsOf<Table>(source, tablesOf, [schemas]))

    // No order would work, because tables refer to each other in cycles; and triggers would write what is being copied.
    const references = await rowsOf<{ table: string; name: string; definition: string }>(target, referencesOf, [
      schemas,
    ])
    for (const { table, name } of references) await target.query(`alter table ${table} drop constraint ${name}`)
    for (const { table } of tables) await target.query(`alter table ${table} disable trigger user`)
    // Rows that migrations and the first start write to a new database.
    await target.query(`truncate ${tables.map(({ table }) => table).join(', ')}`)

    const moved: MovedTable[] = []
    for (const each of tables) {
      const rows = await copyTable(source, target, each)
      moved.push({ table: each.table, rows })
      onTable({ table: each.table, rows })
    }
    for (const { sequence, value } of await rowsOf<{ sequence: string; value: string }>(source, sequencesOf, [schemas]))
      await target.query('select setval($1, $2)', [sequence, value])
    for (const { table } of tables) await target.query(`alter table ${table} enable trigger user`)
    // Recreating each foreign key checks it again.
    for (const { table, name, definition } of references)
      await target.query(`alter table ${table} add constraint ${name} ${definition}`)
    await target.query('commit')
    await target.query('analyze')
    return moved
  } finally {
    for (const side of [source, target]) side.end().catch(() => {})
  }
}

/** A target may be new, or started once and never used. */
export async function demandUnused(targetUrl: string): Promise<void> {
  const { place } = readDatabaseAddress(targetUrl)
  const target = patient(targetUrl)
  try {
    await target.connect()
    const tables = await rowsOf<Table>(target, tablesOf, [schemas])
    if (tables.length === 0) return
    const names = tables.map(({ table }) => table)
    if (!names.includes('public.migrations') || !names.includes('public.users'))
      throw new CannotStart(
        `The database at ${place} is not empty: it has the table ${names[0]?.replace('public.', '')}, which is not ours. Name an empty one.`,
      )
    const [found] = await rowsOf<{ used: boolean }>(target, 'select exists (select from users) as used')
    if (found?.used)
      throw new CannotStart(`The database at ${place} is not empty: it holds accounts. Name an empty one.`)
  } finally {
    target.end().catch(() => {})
  }
}

type Table = { table: string; columns: string }

const tablesOf = `
  select format('%I.%I', n.nspname, c.relname) as table,
    (select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any($1)
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1`

const referencesOf = `
  select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as name,
    pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and k.conparentid = 0 and n.nspname = any($1) order by 1, 2`

/** One that was never used has no value. */
const sequencesOf = `
  select format('%I.%I', schemaname, sequencename) as sequence, last_value as value
  from pg_sequences where schemaname = any($1) and last_value is not null`

function demandSameTables(target: readonly Table[], source: readonly Table[]): void {
  const apart = (some: readonly Table[], others: readonly Table[]) =>
    some.find(one => !others.some(other => other.table === one.table && other.columns === one.columns))
  const odd = apart(source, target) ?? apart(target, source)
  if (odd) throw new CannotStart(`The table ${odd.table} is not the same on both sides: nothing was moved.`)
}

async function copyTable(source: Connection, target: Connection, { table, columns }: Table): Promise<number> {
  const out = source.query(copyTo(`copy ${table} (${columns}) to stdout`) as never) as unknown as NodeJS.ReadableStream
  const into = target.query(
    copyFrom(`copy ${table} (${columns}) from stdin`) as never,
  ) as unknown as NodeJS.WritableStream
  await pipeline(out, into)
  const counted = await Promise.all([source, target].map(side => countOf(side, table)))
  if (counted[0] !== counted[1])
    throw new CannotStart(`Of ${counted[0]} rows of ${table} ${counted[1]} arrived: nothing was moved.`)
  return counted[0] as number
}

const countOf = async (side: Connection, table: string) => {
  const [found] = await rowsOf<{ count: string }>(side, `select count(*) as count from ${table}`)
  return Number(found?.count)
}

const patient = (url: string) => newConnection(url, { name, answersWithinMs: Number.POSITIVE_INFINITY })

const rowsOf = async <Row extends QueryResultRow>(side: Connection, text: string, values: unknown[] = []) =>
  (await side.query(text, values)).rows as Row[]
