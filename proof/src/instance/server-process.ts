import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from './processes.ts'

export const doesNotStart = 'The service does not start'
const startsAtMost = 5

type Running = {
  /** Program and arguments. */
  words: readonly string[]
  cwd: string
  env: Record<string, string | undefined>
  url: string
  logFile: string
}

/** Runs the server, one process after another. */
export class ServerProcess {
  readonly #running: Running
  #child: ChildProcess | undefined

  constructor(running: Running) {
    this.#running = running
  }

  get pid() {
    return this.#child?.pid
  }

  runs() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Retries a failed start, as a supervisor does; the duration counts from the first attempt. */
  async start(more: Record<string, string> = {}): Promise<number> {
    const began = performance.now()
    for (let tries = 1; ; tries++)
      try {
        await this.#startOnce(more)
        return performance.now() - began
      } catch (fault) {
        if (tries === startsAtMost) throw fault
      }
  }

  /** Resolves with its exit code. */
  async end(name: NodeJS.Signals): Promise<number | null> {
    if (!this.#child || !this.runs()) return this.#child?.exitCode ?? null
    const gone = once(this.#child, 'exit')
    this.#child.kill(name)
    await gone
    return this.#child.exitCode
  }

  async #startOnce(more: Record<string, string>) {
    const { words, cwd, env, url, logFile } = this.#running
    const log = openSync(logFile, 'a', 0o600)
    const began = performance.now()
    const options = { cwd, stdio: ['ignore' as const, log, log], env: { ...env, ...more } }
    this.#child = spawn(words[0] as string, words.slice(1), options)
    while (this.runs() && performance.now() - began < patienceMs) {
      const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (reply?.status === 200) return
      await sleep(10)
    }
    throw new Error(`${doesNotStart}: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
  }
}
