import { createInterface } from 'node:readline'
import { isCrash, killGroup, NotSpawned, signalOf, spawnConfined } from '../sandbox/confined-process.ts'
import type { ConfinedCommand } from '../sandbox/confinement.ts'
import { openTimeLimit } from '../sandbox/time-limit.ts'

/**
 * How a tool failed: `failed` by its own report, `crashed`, at a limit (`too-slow`: of time, or without progress for
 * too long; `too-large`: of its output), `full` for lack of disk space, `lost` for an external reason, `stopped` by us.
 */
export type Ending = 'failed' | 'crashed' | 'too-slow' | 'too-large' | 'full' | 'lost' | 'stopped'

export class ToolEnded extends Error {
  override name = 'ToolEnded'
  how: Ending

  constructor(how: Ending, detail: string) {
    super(`The video tool ended (${how}): ${detail}`)
    this.how = how
  }
}

export type Running = {
  limitSeconds: number
  /** Ends it if it has printed nothing that `onLine` considers progress for this long. */
  stallSeconds?: number
  /** Tells whether the line shows progress. */
  onLine(line: string): boolean
  signal?: AbortSignal | undefined
}

/** Runs a program to its end. Throws `ToolEnded`. */
export const run = async (
  command: ConfinedCommand,
  { limitSeconds, stallSeconds = limitSeconds, onLine, signal }: Running,
): Promise<void> => {
  if (signal?.aborted) throw new ToolEnded('stopped', 'before it began')
  const child = begin(command)
  child.stdin.on('error', () => {}).end()
  let ended: Ending | undefined
  const end = (how: Ending) => {
    ended ??= how
    killGroup(child.pid)
  }
  const limit = openTimeLimit(child.pid ?? 0, limitSeconds, end)
  const stall = openTimeLimit(child.pid ?? 0, stallSeconds, end)
  const stop = () => end('stopped')
  signal?.addEventListener('abort', stop, { once: true })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    complaint = (complaint + piece).slice(-1000)
  })
  let printed = 0
  child.stdout.on('data', (piece: Buffer) => {
    printed += piece.length
    if (printed > printedBytesMax) end('failed')
  })
  createInterface({ input: child.stdout }).on('line', line => {
    if (onLine(line)) stall.refresh()
  })
  try {
    const { code, by } = await new Promise<{ code: number; by: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', error => reject(new ToolEnded('lost', error.message)))
      // Processes it left behind would hold the pipes open, and `close` would never come.
      child.once('exit', () => killGroup(child.pid))
      child.once('close', (code, by) => resolve({ code: code ?? 0, by }))
    })
    if (ended || by || code !== 0)
      throw new ToolEnded(ended ?? endingOf(code, by, complaint), `${by ?? code} ${complaint.trim()}`)
  } finally {
    limit.stop()
    stall.stop()
    signal?.removeEventListener('abort', stop)
  }
}

const begin = (command: ConfinedCommand) => {
  try {
    return spawnConfined(command)
  } catch (fault) {
    throw fault instanceof NotSpawned ? new ToolEnded('lost', fault.message) : fault
  }
}

/** Hours of progress lines are less; a compromised tool could print for ever, and without a line break. */
const printedBytesMax = 16 * 1024 * 1024

const endingOf = (code: number, by: NodeJS.Signals | null, complaint: string): Ending => {
  const signal = signalOf(code, by)
  if (notStarted.has(code) || wall.test(complaint)) return 'lost'
  if (signal === 'SIGXCPU') return 'too-slow'
  if (signal === 'SIGXFSZ' || /file too large/i.test(complaint)) return 'too-large'
  if (/no space left on device|disk quota exceeded/i.test(complaint)) return 'full'
  if (isCrash(signal)) return 'crashed'
  return signal ? 'lost' : 'failed'
}

/** A shell's exit codes if it cannot run a program, or finds none: as while packages are being replaced. */
const notStarted = new Set([126, 127])
/** The walls around the program failed, not the program. */
const wall = /^(sh|nice|bwrap|unshare|setpriv): /
