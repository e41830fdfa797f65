import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { isDataDirectoryHeld } from '../platform/process/data-directory.ts'
import { type ProcessesState, readState } from '../processes/state.ts'
import type { Config } from '../settings/config.ts'
import { type Answer, NotDone } from './answer.ts'

const lookEveryMs = 100
/** A process may take this long to finish, for example somebody's upload. */
const tellAgainMs = 15_000

export function restartCommand(
  program: Command,
  config: () => Config,
  run: (work: () => Promise<Answer>) => Promise<void>,
  tell: (progress: string) => void,
): void {
  program
    .command('restart')
    .description('put a new process in the place of each, one after the other, without losing a request')
    .action(() => run(() => restart(config().dataDir, tell)))
}

export async function restart(dataDir: string, tell: (progress: string) => void): Promise<Answer> {
  if (!isDataDirectoryHeld(dataDir)) throw new NotDone(`No Afterglow runs in ${dataDir}: DATA_DIR names it.`)
  const before = readState(dataDir)
  if (!before)
    throw new NotDone(
      'This Afterglow is one process, which cannot be replaced without a gap: start it with PROCESSES=2 or more, or restart it as a whole.',
    )
  process.kill(before.supervisor, 'SIGHUP')
  let told = ''
  let toldAt = performance.now()
  for (;;) {
    await sleep(lookEveryMs)
    const state = isDataDirectoryHeld(dataDir) ? readState(dataDir) : null
    if (state?.supervisor !== before.supervisor) throw new NotDone('It was stopped meanwhile.')
    if (state.restarts === before.restarts || state.restarting) {
      const progress = progressOf(state)
      if (progress === told && performance.now() - toldAt < tellAgainMs) continue
      tell(progress)
      told = progress
      toldAt = performance.now()
      continue
    }
    if (state.failure)
      throw new NotDone(`The new processes do not start, and those that were there go on: ${state.failure}`)
    const { processes } = state
    return { say: `${processes.length} processes were restarted.`, json: { processes } }
  }
}

function progressOf({ processes, replaced, finishing }: ProcessesState): string {
  const count = `${replaced} of ${processes.length} replaced`
  return finishing === null
    ? `${count}; the next one starts`
    : `${count}; process ${finishing} finishes what it was asked, and others serve`
}
