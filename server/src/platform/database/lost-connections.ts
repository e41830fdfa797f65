import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Host } from './database-address.ts'

/** Between two looks at what the host does for us: a reply may be on its way during one. */
const secondLookMs = 1_000

/**
 * Finds connections that wait for a backend that does nothing, or is gone. Such a backend is terminated, so that nobody
 * waits for its locks. `client` is a connection to the same host; a backend younger than `silentMs` is not the one that
 * was silent.
 */
export const findLost = async <Suspect extends { backend: number | undefined }>(
  client: pg.Client,
  suspects: readonly Suspect[],
  isSuspect: (one: Suspect) => boolean,
  silentMs: number,
): Promise<Suspect[]> => {
  const idle = async (connections: readonly Suspect[]) => {
    const { rows } = await client.query(atWork, [connections.map(({ backend }) => backend)])
    const busy = new Set(rows.map(({ pid }) => pid))
    return connections.filter(one => !busy.has(one.backend) && isSuspect(one))
  }
  const candidates = await idle(suspects)
  if (candidates.length === 0) return []
  await sleep(secondLookMs)
  const lost = await idle(candidates)
  await client.query(endBackends, [lost.map(({ backend }) => backend), silentMs])
  return lost
}

const atWork = `select pid from pg_stat_activity where pid = any($1) and state = 'active'`
/** Spares a different backend that was given its pid meanwhile. */
const endBackends = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and usename = current_user and state <> 'active'
    and backend_start < clock_timestamp() - $2 * interval '1 ms'`

/** Requests TLS, which every PostgreSQL answers with one byte before authentication. */
export const answersAt = ({ host, port }: Host, withinMs: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const end = (answers: boolean) => {
      clearTimeout(late)
      socket.destroy()
      resolve(answers)
    }
    const late = setTimeout(end, withinMs, false)
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])))
    socket.once('data', () => end(true))
    socket.on('error', () => end(false))
    socket.once('end', () => end(false))
  })
