import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isDataDirectoryHeld } from '../../platform/process/data-directory.ts'
import { textOf } from '../../platform/process/file-text.ts'
import { readState } from '../../processes/state.ts'
import type { Config } from '../../settings/config.ts'
import { NotDone } from '../answer.ts'
import type { VersionCheck } from '../database.ts'
import { restart } from '../restart.ts'
import type { Instance } from './upgrade.ts'

const lookEveryMs = 200
const tellEveryMs = 15_000

/** Restarts the service with the current version: process by process where possible, or as a whole. */
export async function bringIn(
  { config, tell }: Instance,
  { besideOlder }: VersionCheck,
): Promise<{ say: string; serves: boolean }> {
  const { dataDir } = config
  if (!isDataDirectoryHeld(dataDir))
    return { say: 'No service runs here: its next start is of this version.', serves: false }
  if (besideOlder && readState(dataDir)) return { say: (await restart(dataDir, tell)).say, serves: true }
  const before = holderOf(dataDir)
  const unit = await unitOf(before)
  if (!unit)
    return {
      say: 'Restart the service now, as you start and stop it: until then, the version before serves.',
      serves: false,
    }
  await systemctl('restart', unit).catch(fault => {
    throw new NotDone(`${unit} cannot be restarted: ${fault.stderr || fault.message}`)
  })
  await served(config, before, unit, tell)
  return { say: `${unit} was restarted and serves.`, serves: true }
}

const holderOf = (dataDir: string) => Number.parseInt(textOf(join(dataDir, 'pid')), 10)

/** The systemd unit whose first process, or its launcher, that is. */
async function unitOf(pid: number): Promise<string | null> {
  const unit = /\/([^/\n]+\.service)$/m.exec(textOf(`/proc/${pid}/cgroup`))?.[1]
  if (!unit) return null
  const main = Number(await shown('MainPID', unit).catch(() => 0))
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1])
  return main > 1 && (main === pid || main === parent) ? unit : null
}

async function served(config: Config, before: number, unit: string, tell: (progress: string) => void): Promise<void> {
  const starts = Number(await shown('NRestarts', unit))
  for (let waited = 0; ; waited += lookEveryMs) {
    if (holderOf(config.dataDir) !== before && (await isReady(config))) return
    const state = await shown('ActiveState', unit)
    // systemd retries a refused start for ever.
    if (state === 'failed' || Number(await shown('NRestarts', unit)) > starts + 1)
      throw new NotDone(`The new version does not start: journalctl --unit ${unit} says why.`)
    if (waited % tellEveryMs === 0) tell('Waiting for its start; migrations take as long as the tables are large.')
    await sleep(lookEveryMs)
  }
}

const isReady = ({ host, port }: Config) =>
  fetch(`http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host}:${port}/readyz`, {
    signal: AbortSignal.timeout(5_000),
  }).then(
    reply => reply.ok,
    () => false,
  )

const systemctl = async (...args: string[]) => (await promisify(execFile)('systemctl', args)).stdout.trim()
const shown = (property: string, unit: string) => systemctl('show', `--property=${property}`, '--value', unit)
