import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import pg from 'pg'
import { Connection, openPool } from './connection.ts'
import type { DB } from './schema.ts'
import { parseTimestamp } from './timestamps.ts'

export type Database = Kysely<DB>
export type Transaction = KyselyTransaction<DB>
/**
 * IDs for `unnest`, with their number hidden from the planner, so that it settles on one plan for all. Otherwise it
 * would replan the statement each time, for several times the cost of running it (400 µs became 67 for the door of a
 * chat).
 */
export const idList = (ids: readonly (number | null)[]) => sql`(select ${ids}::bigint[])`

/**
 * An ID to filter rows by that another condition has found. Statistics know nothing of tonight's event: PostgreSQL takes
 * its thousands of photos or notifications for one row, and would begin with them.
 */
export const notByIndex = (id: RawBuilder<unknown>) => sql`(${id} + 0)`

/** The pool or an open transaction: the first argument of a store's functions. */
export type Db = Database | Transaction

const [int8, timestamptz] = [20, 1184]
const parsers: Record<number, (text: string) => unknown> = {
  // IDs and counts stay below 2^53 (contract: Id), so a number holds every int8 exactly.
  [int8]: Number,
  [timestamptz]: parseTimestamp,
}
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const statementNamesMax = 1000

/**
 * Names each SQL text so that PostgreSQL parses and plans it once per connection (18 to 29 % more queries a second).
 * The map is bounded: texts beyond its limit are not named.
 */
const names = new Map<string, string>()
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known || names.size >= statementNamesMax) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

class NamingConnection extends Connection {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has seven overloads; this passes all but one through.
  override query(first: any, ...rest: any[]): any {
    const values = rest[0]
    if (typeof first !== 'string' || !Array.isArray(values)) return super.query(first, ...rest)
    // Without parameters, a text may contain several statements (a migration), which cannot be prepared.
    const name = values.length > 0 ? nameOf(first) : undefined
    return super.query({ text: first, values, types, ...(name && { name }) } as pg.QueryConfig, ...rest.slice(1))
  }
}

export type DatabaseOptions = {
  /** Beyond 16, two cores serve no faster. */
  connections?: number
  /** Reserves this many for readers, however many writers wait for a lock. */
  keptForReading?: number
  /** The name of these connections in the database's own views. */
  name?: string
  /**
   * Plans a statement once per connection, whatever its values: for statements that find rows by ID, whose plan is
   * always the same. PostgreSQL would replan most of them each time, at three quarters of their cost (157 µs became 37
   * for messages by ID). Not for pages: their generic plan may read the whole table.
   */
  plansOnce?: boolean
  /** For migrations, which take as long as the tables are large. */
  patient?: boolean
  /**
   * After this time a connection is replaced, and its plans with it: a generic plan made while a table was tiny scans
   * all of it, and lasts until the table is analyzed.
   */
  livesSeconds?: number
  onIdleError?: (error: Error) => void
}

/**
 * The wait for a connection of the pool, mostly spent queueing behind others; connecting itself has a shorter timeout.
 */
const connectionWithinMs = 15_000

export const openDatabase = (
  url: string,
  {
    connections = 16,
    keptForReading = 0,
    name = 'afterglow',
    plansOnce = false,
    patient = false,
    livesSeconds = 600,
    onIdleError = () => {},
  }: DatabaseOptions = {},
): Database => {
  const pool = openPool(
    url,
    {
      name,
      settings: {
        // A statement that exceeds this is a bug of ours, not a matter of a client's patience.
        statement_timeout: patient ? 0 : 30_000,
        // A wait this long for a row means that somebody's commit cannot finish: not a bug of ours.
        lock_timeout: patient ? 0 : 20_000,
        // Less than others wait for its locks: a process that was cut off in a transaction must not make them fail.
        idle_in_transaction_session_timeout: patient ? 60_000 : 15_000,
        // A lookup by ID must not read a whole table because that was empty when it was planned.
        ...(plansOnce && { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }),
      },
      ...(patient && { answersWithinMs: Number.POSITIVE_INFINITY }),
    },
    {
      max: connections,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: connectionWithinMs,
      maxLifetimeSeconds: livesSeconds,
    },
    NamingConnection,
  )
  pool.on('error', onIdleError)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  if (keptForReading > 0) writing.set(db, pLimit(connections - keptForReading))
  return db
}

const pools = new WeakMap<Database, pg.Pool>()

/** The turns of what writes, where some connections are kept for reading. */
const writing = new WeakMap<Database, LimitFunction>()

/** The size of a database opened by openDatabase, and how many callers are waiting for a connection. */
export const poolOf = (db: Database): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> => {
  const pool = pools.get(db)
  if (!pool) throw new Error('openDatabase opens databases')
  return pool
}

const tries = 4
const lostARace = (error: unknown) => {
  const code = (error as { code?: string }).code
  return code === '40P01' || code === '40001'
}

const committed = new WeakMap<Transaction, Set<() => void>>()

/**
 * Calls back once the current transaction has committed: at once outside a transaction; never if it rolls back. The
 * same callback twice in one transaction runs once.
 */
export const afterCommit = (db: Db, tell: () => void): void => {
  if (!db.isTransaction) {
    tell()
    return
  }
  const known = committed.get(db as Transaction)
  if (known) known.add(tell)
  else committed.set(db as Transaction, new Set([tell]))
}

/**
 * Runs the work in a transaction; within an open one it joins that one. A deadlock rolls back everything, so the work
 * is simply repeated.
 */
export const transact = async <Result>(db: Db, work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
  if (db.isTransaction) return work(db as Transaction)
  return written(db, async () => {
    let opened: Transaction | undefined
    const result = await db.transaction().execute(tx => {
      opened = tx
      return work(tx)
    })
    for (const tell of (opened && committed.get(opened)) ?? []) tell()
    return result
  })
}

/** The same for a single statement, which is a transaction by itself: opening one around it takes two round trips. */
export const alone = <Result>(db: Db, statement: () => Promise<Result>): Promise<Result> =>
  db.isTransaction ? statement() : written(db, statement)

const written = <Result>(db: Db, work: () => Promise<Result>): Promise<Result> => {
  const inTurn = writing.get(db as Database)
  return inTurn ? inTurn(() => repeated(work)) : repeated(work)
}

const repeated = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === tries || !lostARace(error)) throw error
    }
  }
}
