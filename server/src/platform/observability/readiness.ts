import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, poolOf } from '../database/database.ts'
import { type ProcessRegistration, registerProcess } from '../database/registered-process.ts'

export type Readiness = {
  /** Why nothing could be written now, determined within a second whatever happens; undefined if it could. */
  whyNot(): Promise<string | undefined>
  /** How far this machine's clock is from the database's, as of the last answer; undefined before the first. */
  clockApartSeconds(): number | undefined
  close(): Promise<void>
}

const tellWithinMs = 800
/** A database that answered this recently is slow rather than unavailable. */
const freshMs = 5_000
/** Between two writes: a load balancer may ask five times a second. */
const askEveryMs = 900
/** A process that nobody asks is known to live all the same. */
const registerEveryMs = 5_000

type ReadinessOptions = {
  url: string
  /** The pool that serves requests. */
  pool: Database
  /** Tells whether the disk has room for people's text. */
  hasRoom(): Promise<boolean>
}

/**
 * Asks what writes ask. The database is asked over a connection of its own, so that a crowd waiting for all others does
 * not make this process look dead.
 */
export const openReadiness = ({ url, pool, hasRoom }: ReadinessOptions): Readiness => {
  let registered: ProcessRegistration | undefined
  let asking: Promise<string | undefined> | undefined
  let asked: { at: number; why: string | undefined } | undefined
  let answeredAt = Number.NEGATIVE_INFINITY
  let clockApart: number | undefined
  let closed = false

  const register = async () => {
    const opened = await registerProcess(url)
    opened.client.once('end', () => {
      if (registered === opened) registered = undefined
    })
    return opened
  }

  const write = async () => {
    registered ??= await register()
    const before = Date.now()
    const { rows } = await registered.client.query(
      `update processes set seen_at = clock_timestamp() where name = $1
       returning extract(epoch from seen_at)::float8 * 1000 as at, ${isReadOnly} as closed`,
      [registered.name],
    )
    if (rows.length === 0) throw new Error('its row is gone')
    if (rows[0].closed) return 'the database is read-only'
    clockApart = Math.abs(rows[0].at - (before + Date.now()) / 2) / 1000
    if (poolOf(pool).totalCount === 0) await sql`select 1`.execute(pool)
    answeredAt = performance.now()
    return (await hasRoom()) ? undefined : 'the disk is full'
  }

  const ask = async () => {
    try {
      return await write()
    } catch (fault) {
      answeredAt = Number.NEGATIVE_INFINITY
      registered?.client.end().catch(() => {})
      registered = undefined
      return reasonOf(fault)
    }
  }

  const askInTurn = () => {
    if (asked && performance.now() - asked.at < askEveryMs) return Promise.resolve(asked.why)
    asking ??= ask().then(why => {
      asked = { at: performance.now(), why }
      asking = undefined
      return why
    })
    return asking
  }
  const registering = setInterval(() => {
    if (!registered && !closed) void askInTurn()
  }, registerEveryMs).unref()
  void askInTurn()

  return {
    async whyNot() {
      const late = sleep(tellWithinMs, null, { ref: false }).then(() =>
        performance.now() - answeredAt < freshMs ? undefined : 'no database',
      )
      return Promise.race([askInTurn(), late])
    },
    clockApartSeconds: () => clockApart,
    async close() {
      closed = true
      clearInterval(registering)
      await asking
      await registered?.client.end().catch(() => {})
    },
  }
}

/** A setting of the database holds for new sessions only, and for this one as soon as it is read. */
const isReadOnly = `exists (select from pg_db_role_setting s, unnest(s.setconfig) setting
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and s.setrole in (0, (select oid from pg_roles where rolname = current_user))
    and setting ~ '^default_transaction_read_only=(on|true|yes|1)')`

const reasonOf = (fault: unknown) => {
  const { code = '' } = (fault ?? {}) as { code?: string }
  if (code === '25006') return 'the database is read-only'
  if (code === '53100') return 'the disk of the database is full'
  if (code === '53300') return 'no connection to the database'
  return 'no database'
}
