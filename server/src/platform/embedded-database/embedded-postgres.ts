import { join } from 'node:path'
import type { BaseLogger } from 'pino'
import { answers, type EmbeddedAddresses, embeddedAddresses } from './postgres-address.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { accessSetting, closeDoors, clusterUser, prepareCluster } from './postgres-cluster.ts'
import { PostgresKeeper } from './postgres-keeper.ts'
import { ensureServiceRole } from './postgres-roles.ts'
import { baseSettings } from './postgres-settings.ts'

/** The addresses stay the same, even over a crash of the database. */
export type EmbeddedPostgres = EmbeddedAddresses & {
  /** Ends sessions and shuts the database down; safe to repeat. */
  stop(): Promise<void>
}

/**
 * Our own PostgreSQL inside `directory`, created on the first call, on a socket in a private directory. A server left
 * running by a killed process is taken over; one that dies is restarted until stop(). `settings` are PostgreSQL's own
 * (`name=value`) and override ours. `demand` is called with the superuser's address before anything is changed: if it
 * throws, the version that made the cluster starts as before. Requires the data directory's lock; throws CannotStart.
 */
export async function openEmbeddedPostgres({
  directory,
  password,
  log,
  settings = [],
  demand,
}: {
  directory: string
  password: string
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>
  settings?: string[]
  demand?: (superuserUrl: string) => Promise<void>
}): Promise<EmbeddedPostgres> {
  const cluster = join(directory, 'cluster')
  const user = clusterUser(cluster)
  const { initdb, postgres } = await findPostgresBinaries(user)
  await prepareCluster(directory, user, initdb, { password, durable: !settings.includes('fsync=off') })
  closeDoors(directory, user)
  const addresses = embeddedAddresses(directory, password)
  const keeper = new PostgresKeeper({
    directory,
    cluster,
    user,
    postgres,
    settings: [...baseSettings, accessSetting(cluster, user), ...settings],
    isUp: () => answers(addresses.superuserUrl),
    log,
  })
  try {
    const first = await keeper.start()
    await demand?.(addresses.superuserUrl)
    await ensureServiceRole(addresses, password)
    const kept = keeper.keepRunning(first).catch(() => {})
    let stopped: Promise<void> | null = null
    return {
      ...addresses,
      stop() {
        keeper.letGo()
        stopped ??= kept.then(() => keeper.shutDown())
        return stopped
      },
    }
  } catch (fault) {
    await keeper.shutDown()
    throw fault
  }
}
