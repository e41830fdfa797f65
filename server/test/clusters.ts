import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { copyCluster } from '../src/platform/backup/cluster-copy.ts'
import { answers, superuser } from '../src/platform/embedded-database/postgres-address.ts'
import { findPostgresBinaries } from '../src/platform/embedded-database/postgres-binaries.ts'
import { clusterUser, prepareCluster } from '../src/platform/embedded-database/postgres-cluster.ts'
import { livingPostmaster, startPostmaster } from '../src/platform/embedded-database/postmaster.ts'
import { freePort } from './free-port.ts'
import { newFolder } from './new-folder.ts'
import { whenDone } from './when-done.ts'

const password = 'test'

/** A PostgreSQL cluster as operators run it, whose processes and files a test may damage. */
export type Cluster = {
  url(): string
  start(port: number, settings?: readonly string[]): Promise<void>
  /** Kills all its processes at once (kill -9). */
  kill(): Promise<void>
  /**
   * A second cluster with the current contents of this running one; as a standby, it follows this one until it is
   * promoted.
   */
  copy(as?: 'standby'): Promise<Cluster>
  ask<Row>(sql: string): Promise<Row[]>
}

/** A new cluster with settings that keep acknowledged writes; it and its copies end with the test. */
export const openCluster = async (): Promise<Cluster> => {
  const folder = newFolder('clusters')
  const all: Cluster[] = []
  whenDone(async () => {
    for (const cluster of all) await cluster.kill()
  })

  const clusterIn = (directory: string): Cluster => {
    const cluster = join(directory, 'cluster')
    const user = clusterUser(cluster)
    let url = ''
    const one: Cluster = {
      url: () => url,
      async start(port, settings = []) {
        const { initdb, postgres } = await findPostgresBinaries(user)
        await prepareCluster(directory, user, initdb, { password, durable: true })
        url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`
        const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_senders=4', `port=${port}`]
        for (let child: Awaited<ReturnType<typeof startPostmaster>> | undefined; !(await answers(url)); await sleep(20))
          if (!child || child.exitCode !== null || child.signalCode !== null)
            child = await startPostmaster(postgres, cluster, user, [...own, ...settings], join(directory, 'log'))
      },
      async kill() {
        for (let left = livingPostmaster(cluster); left; left = livingPostmaster(cluster)) {
          for (const pid of [left.pid, ...childrenOf(left.pid)]) killNow(pid)
          await sleep(5)
        }
      },
      async copy(as) {
        const into = join(folder, String(all.length + 1))
        mkdirSync(into, { mode: 0o700 })
        await copyCluster(url, cluster, into)
        if (as === 'standby') {
          const { hostname, port, username } = new URL(url)
          const primary = `host=${hostname} port=${port} user=${username} password=${password}`
          writeFileSync(join(into, 'cluster/postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
          writeFileSync(join(into, 'cluster/standby.signal'), '')
        }
        return clusterIn(into)
      },
      async ask<Row>(sql: string) {
        const client = new Client({ connectionString: url })
        client.on('error', () => {})
        await client.connect()
        try {
          return (await client.query(sql)).rows as Row[]
        } finally {
          await client.end()
        }
      },
    }
    all.push(one)
    return one
  }

  const first = join(folder, '1')
  mkdirSync(first)
  const cluster = clusterIn(first)
  await cluster.start(await freePort())
  return cluster
}

const childrenOf = (parent: number) =>
  readdirSync('/proc').flatMap(name => {
    try {
      const [, ppid] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return Number(ppid) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })

const killNow = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
