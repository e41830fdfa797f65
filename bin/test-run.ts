import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memory } from '../server/test/database-slots.ts'
import { processesOf } from '../server/test/processes.ts'

/** A test run keeps all of its files here, and its processes are found by this name. */
export const openRun = (): string => mkdtempSync(join(tmpdir(), 'afterglow-run-'))

const patienceMs = 10_000

/** Ends every process that the run left behind, and removes its files. */
export async function endRun(folder: string): Promise<void> {
  const name = basename(folder)
  const others = () => processesOf(name).filter(({ pid }) => pid !== process.pid)
  // SIGINT makes PostgreSQL shut down at once but cleanly; otherwise its shared memory would stay.
  for (const { pid } of others()) signal(pid, 'SIGINT')
  for (const until = performance.now() + patienceMs; others().length > 0; await sleep(50))
    if (performance.now() > until) for (const { pid } of others()) signal(pid, 'SIGKILL')
  for (const path of [folder, join(memory, name)]) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
