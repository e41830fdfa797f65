import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Answer, Task } from './picture-worker.ts'

export type Log = { warn(fields: object, message: string): void }

/** How a decoder ended under its task: by its own fault (`crashed`), at the limit, or by something outside. */
export class DecoderEnded extends Error {
  override name = 'DecoderEnded'
  how: 'crashed' | 'too-slow' | 'lost'

  constructor(how: 'crashed' | 'too-slow' | 'lost', detail: string) {
    super(`The picture decoder ended (${how}): ${detail}`)
    this.how = how
  }
}

export type Decoder = { pid: number; ended(): boolean; perform(task: Task): Promise<Answer>; end(): Promise<void> }

const program = fileURLToPath(new URL('./picture-worker.ts', import.meta.url))
/** What WebAssembly once took it never gives back: 12 MP of HEIC leave 210 MB, 48 MP 400. */
const swollenBytesUsually = 450 * 1024 * 1024
const crashes = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGSYS'])

export type Starting = {
  limitSeconds: number
  /** A process that a picture has left larger says so in its answer. */
  swollenBytes?: number
  log: Log
}

/**
 * Starts one decoding process. Its environment is empty of ours: no secrets, no database, no NODE_OPTIONS.
 * It performs one task at a time and is killed when one takes longer than `limitSeconds`.
 */
export function startDecoder({ limitSeconds, swollenBytes = swollenBytesUsually, log }: Starting): Decoder {
  const child = fork(program, [String(swollenBytes)], {
    // Pipelines run one after another, so one thread starts them. One arena whose large blocks go back to the system,
    // and a collection after each picture (see the program), keep two decoders of 12 MP photos at 210 MiB together:
    // without the thresholds it is 240, without the arena and the collection 420.
    env: {
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
      MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
    },
    execArgv: ['--max-old-space-size=128', '--max-semi-space-size=1', '--v8-pool-size=1', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    cwd: '/',
  })
  lowerPriority(child)
  const complaint = lastWords(child)
  let settle: { answer(answer: Answer): void; ended(error: DecoderEnded): void } | null = null
  let tooSlow = false
  let gone = false

  child.on('message', (answer: Answer) => settle?.answer(answer))
  child.on('error', error => log.warn({ err: error }, 'a picture decoder could not be started or reached'))
  const exited = new Promise<void>(resolve => {
    // `error` alone when the process could not even be started.
    child.once('exit', resolve)
    child.once('error', () => child.pid === undefined && resolve())
  }).then(() => {
    gone = true
    const how = tooSlow ? 'too-slow' : crashes.has(child.signalCode ?? '') ? 'crashed' : 'lost'
    const detail = `${child.signalCode ?? child.exitCode ?? 'not started'} ${complaint()}`.trim()
    if (settle) log.warn({ pid: child.pid, how, detail }, 'a picture decoder ended under a picture')
    settle?.ended(new DecoderEnded(how, detail))
  })

  letGo(child)
  return {
    pid: child.pid ?? 0,
    ended: () => gone,
    async perform(task) {
      if (gone) throw new DecoderEnded('lost', 'before its task')
      hold(child)
      const limit = setTimeout(() => {
        tooSlow = true
        child.kill('SIGKILL')
      }, limitSeconds * 1000)
      try {
        // Rejects only once the process is gone, so that nothing writes to the task's files any more.
        return await new Promise<Answer>((answer, ended) => {
          settle = { answer, ended }
          child.send(task, error => error && child.kill('SIGKILL'))
        })
      } finally {
        clearTimeout(limit)
        settle = null
        letGo(child)
      }
    },
    async end() {
      hold(child) // whoever waits for this may have nothing else to keep the process going
      child.kill('SIGKILL')
      await exited
    },
  }
}

// Decoding must not take the processor from requests. On Linux this is the priority of one thread, so it is set
// before the process has made others, which inherit it.
function lowerPriority(child: ChildProcess) {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10)
  } catch {
    // It has already ended; its exit tells why.
  }
}

function lastWords(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', piece => {
    text = (text + piece).slice(-1000)
  })
  return () => text.trim()
}

// An idle decoder does not keep the server's process alive, a working one does.
function letGo(child: ChildProcess) {
  child.unref()
  child.channel?.unref()
  ;(child.stderr as { unref?(): void } | null)?.unref?.()
}

function hold(child: ChildProcess) {
  child.ref()
  child.channel?.ref()
}
