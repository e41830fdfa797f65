import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { askAdmin, databasePrefix } from './admin.ts'
import { type Process, processesOf, withChildren } from './processes.ts'

/** Redirects this worker's temporary files to a folder of its own, so that leftovers can be found. */
export const useOwnFolder = async (): Promise<void> => {
  if (tmpdir().startsWith(join(inject('folder'), 'w-'))) return
  const folder = mkdtempSync(join(inject('folder'), 'w-'))
  // PostgreSQL, PgBouncer and nginx run as other users when we are root.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
}

/** One browser serves all files of a worker (web/test/browser.ts), with a profile of this name, and PulseAudio's folder. */
const ofBrowser = /playwright|^pulse-/

/** A busy machine takes its time to end processes. */
const patienceMs = 20_000

/** Describes what a file has left open, and closes it, so that no later file is blamed for it. */
export const leaks = async (): Promise<string[]> => {
  const until = performance.now() + patienceMs
  for (let waitMs = 10; ; waitMs *= 2) {
    const found = await everything()
    if (found.length > 0 && performance.now() < until) {
      await sleep(Math.min(waitMs, 500))
      continue
    }
    await end()
    return found
  }
}

const everything = async () => [
  ...names().map(name => `file ${join(tmpdir(), name)}`),
  ...processes().map(({ pid, command }) => `process ${pid} ${command}`),
  ...(await databases()).map(({ name, connections }) => `database ${name} with ${connections} connections`),
  ...listeners(),
]

/** Node writes its compiled code there where no other place is set. */
const ofNode = 'node-compile-cache'
const names = () => readdirSync(tmpdir()).filter(name => !ofBrowser.test(name) && name !== ofNode)

const processes = (): Process[] => {
  const all = processesOf(tmpdir()).filter(({ pid }) => pid !== process.pid)
  const kept = new Set(withChildren(all, ({ command }) => ofBrowser.test(command)))
  return all.filter(each => !kept.has(each))
}

const listeners = () => {
  const count = process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length
  return count > 0 ? [`${count} listening socket${count > 1 ? 's' : ''}`] : []
}

const databases = () =>
  askAdmin<{ name: string; connections: number }>(
    `select datname as name, (select count(*) from pg_stat_activity a where a.datname = d.datname)::int as connections
    from pg_database d where starts_with(datname, $1) order by 1`,
    [databasePrefix],
  )

const end = async () => {
  for (const { pid } of processes()) process.kill(pid, 'SIGKILL')
  for (const { name } of await databases()) await askAdmin(`drop database ${name} with (force)`)
  for (const name of names()) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 })
}
