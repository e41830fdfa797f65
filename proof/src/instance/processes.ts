import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The fields after the process name, which stands in brackets and may contain anything. */
const statOf = (pid: number) =>
  textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

export const isAlive = (pid: number): boolean => pid > 1 && !['', 'Z', 'X'].includes(statOf(pid)[0] ?? '')

/** Excludes the root itself. */
export const descendantsOf = (root: number): number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statOf(Number(name))[1]))
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found.slice(1)
}

export const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

/** Refuses 0 and 1, which would mean ourselves or everybody. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  if (!(pid > 1)) throw new Error(`There is no process ${pid} to send ${name} to.`)
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

/** The postmaster of a cluster; undefined if none runs. */
export const postmasterOf = (cluster: string): number | undefined => {
  const pid = Number(textOf(`${cluster}/postmaster.pid`).split('\n')[0])
  return isAlive(pid) && /postgres/.test(commandOf(pid)) ? pid : undefined
}

/** Kills a whole PostgreSQL with SIGKILL, so that no process of it writes anything more. */
export const killPostgres = async (cluster: string): Promise<void> => {
  for (let pid = postmasterOf(cluster); pid !== undefined; pid = postmasterOf(cluster)) {
    for (const one of [pid, ...descendantsOf(pid)]) signal(one, 'SIGKILL')
    await sleep(5)
  }
}

/** Chosen below the ephemeral port range. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const probe = createServer()
    const free = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise(resolve => probe.close(resolve))
    if (free) return port
  }
}

export const missingOf = (programs: readonly string[]): string[] =>
  programs.filter(program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

const endings = new Set<() => void>()
process.on('exit', () => {
  for (const end of [...endings].reverse()) end()
})

/** Registers cleanup that must happen even if we exit at once; returns its cancellation. It must be synchronous. */
export const atTheLatest = (end: () => void): (() => void) => {
  endings.add(end)
  return () => void endings.delete(end)
}

/** Far longer than anything takes on an idle machine: only a failure waits this long. */
export const patienceMs = 300_000

/** Polls until the condition holds; throws a sentence on timeout. */
export const until = async (what: string, isSo: () => boolean | Promise<boolean>, ms = patienceMs, everyMs = 25) => {
  const givesUpAt = Date.now() + ms
  while (!(await isSo())) {
    if (Date.now() > givesUpAt) throw new Error(`${what}: not within ${ms / 1000} s`)
    await sleep(everyMs)
  }
}

/**
 * Gives pending work its time: polls until nothing is wrong, or until the findings have stopped changing for a while.
 * Returns the last findings, because another look would include what began since.
 */
export const settled = async <Wrong>(
  look: () => Promise<readonly Wrong[]> | readonly Wrong[],
  stillMs = 20_000,
): Promise<readonly Wrong[]> => {
  let last = ''
  for (let still = Date.now(); ; await sleep(100)) {
    const wrong = await look()
    if (wrong.length === 0 || Date.now() - still > stillMs) return wrong
    const now = JSON.stringify(wrong)
    if (now !== last) still = Date.now()
    last = now
  }
}
