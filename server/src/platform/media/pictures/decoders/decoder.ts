import { type FileHandle, open } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { isCrash, killGroup, NotSpawned, signalOf, spawnConfined } from '../../../sandbox/confined-process.ts'
import type { ConfinedCommand, Confinement } from '../../../sandbox/confinement.ts'
import { openTimeLimit } from '../../../sandbox/time-limit.ts'
import type { ReceivedFile } from '../../received-file.ts'
import { type Storage, storageFailure } from '../../storage/storage.ts'
import type { AnswerHead, Task } from '../picture-task.ts'
import { type Exchanging, exchange } from './decoder-exchange.ts'
import { BrokenMessage, type MessageReader, NoMessage, openMessageReader } from './decoder-messages.ts'
import { decoderCommand, decoderRoom } from './decoder-walls.ts'

export type Log = { warn(fields: object, message: string): void }

/**
 * How a decoder ended during its task: by its own fault (`crashed`), at its time limit, or for an external reason, such
 * as a machine without time for it.
 */
export class DecoderEnded extends Error {
  override name = 'DecoderEnded'
  how: 'crashed' | 'too-slow' | 'lost'

  constructor(how: 'crashed' | 'too-slow' | 'lost', detail: string) {
    super(`The picture decoder ended (${how}): ${detail}`)
    this.how = how
  }
}

/** The files are temporaries of the storage; the receiver of the answer removes them. */
export type DecoderAnswer = Pick<AnswerHead, 'answer' | 'swollen'> & { files: ReceivedFile[] }

export type Decoder = {
  pid: number
  ended(): boolean
  /** It sent something unsolicited: nothing from it is trusted any more. */
  isSuspect(): boolean
  /** Sends it the file at `source`. Throws `DecoderEnded`, `StorageFailed`; after either it is gone. */
  perform(task: Task, source: string): Promise<DecoderAnswer>
  end(): Promise<void>
}

export type Starting = {
  limitSeconds: number
  /** A process that has grown too large says so in its answer. */
  swollenBytes?: number
  storage: Pick<Storage, 'temporary'>
  log: Log
  /** Another program in the decoder's place. */
  program?: string
}

/** WebAssembly never returns memory: 12 MP of HEIC leave 210 MB, 48 MP 400. */
const swollenBytesUsually = 450 * 1024 * 1024
const complaintBytesMax = 256 * 1024

/**
 * Starts a sandboxed decoder process. It performs one task at a time and is killed if one takes too long. Throws
 * `DecoderEnded` if none can be started.
 */
export function startDecoder(confinement: Confinement, starting: Starting): Decoder {
  const { swollenBytes = swollenBytesUsually, program } = starting
  const command = confinement.around(decoderCommand([String(swollenBytes)], program), decoderRoom)
  return new DecoderProcess(begin(command), starting)
}

type Child = ReturnType<typeof spawnConfined>

class DecoderProcess implements Decoder {
  readonly #child: Child
  readonly #limitSeconds: number
  readonly #log: Log
  readonly #messages: MessageReader
  readonly #exchanging: Exchanging
  readonly #exited: Promise<void>
  #complaint = ''
  #complained = 0
  #gone = false
  #why: DecoderEnded['how'] | undefined
  #dismissed = false

  constructor(child: Child, { limitSeconds, storage, log }: Starting) {
    this.#child = child
    this.#limitSeconds = limitSeconds
    this.#log = log
    this.#messages = openMessageReader(child.stdout)
    this.#exchanging = {
      stdin: child.stdin,
      messages: this.#messages,
      storage,
      kill: how => this.#kill(how),
      blameNobody: () => {
        this.#why = 'lost'
      },
    }
    child.on('error', error => log.warn({ err: error }, 'a picture decoder could not be started or reached'))
    // Writers receive the error as well.
    child.stdin.on('error', () => {})
    child.stderr.setEncoding('utf8').on('data', (piece: string) => this.#hear(piece))
    this.#exited = exitOf(child).then(() => {
      this.#gone = true
      killGroup(child.pid)
    })
    this.#letGo()
  }

  get pid() {
    return this.#child.pid ?? 0
  }

  ended() {
    return this.#gone
  }

  isSuspect() {
    return this.#messages.hasMore()
  }

  async perform(task: Task, source: string) {
    if (this.#gone) throw new DecoderEnded('lost', 'before its task')
    const opened = await openSource(source)
    this.#hold()
    const limit = openTimeLimit(this.pid, this.#limitSeconds, how => this.#kill(how))
    try {
      return await exchange(this.#exchanging, task, opened)
    } catch (fault) {
      // It has ended, or is killed at its time limit.
      await this.#exited
      throw fault instanceof NoMessage || fault instanceof BrokenMessage ? this.#endedBy(fault) : storageFailure(fault)
    } finally {
      limit.stop()
      await opened.file.close()
      this.#letGo()
    }
  }

  async end() {
    this.#hold() // the process might exit while it waits for this
    this.#dismissed = true
    this.#kill('lost')
    await this.#exited
  }

  #hear(piece: string) {
    this.#complaint = (this.#complaint + piece).slice(-1000)
    this.#complained += piece.length
    if (this.#complained > complaintBytesMax) this.#kill('crashed')
  }

  #kill(how: DecoderEnded['how']) {
    this.#why ??= how
    killGroup(this.#child.pid)
  }

  #endedBy({ message }: Error) {
    const { exitCode, signalCode } = this.#child
    const signal = signalOf(exitCode, signalCode)
    const how = this.#why ?? (isCrash(signal) ? 'crashed' : 'lost')
    const detail = `${message}; ${signal ?? exitCode ?? 'not started'} ${this.#complaint}`.trim()
    if (!this.#dismissed)
      this.#log.warn({ pid: this.#child.pid, how, detail }, 'a picture decoder ended under a picture')
    return new DecoderEnded(how, detail)
  }

  // An idle decoder does not keep the server's process alive; a working one does.
  #letGo() {
    this.#child.unref()
    for (const end of streamsOf(this.#child)) end.unref()
  }

  #hold() {
    this.#child.ref()
    for (const end of streamsOf(this.#child)) end.ref()
  }
}

const streamsOf = ({ stdin, stdout, stderr }: Child) => [stdin, stdout, stderr] as Socket[]

const exitOf = (child: Child) =>
  new Promise<void>(resolve => {
    // `error` without more if the process could not even be started.
    child.once('exit', () => resolve())
    child.once('error', () => child.pid === undefined && resolve())
  })

function begin(command: ConfinedCommand) {
  try {
    return spawnConfined(command)
  } catch (fault) {
    throw fault instanceof NotSpawned ? new DecoderEnded('lost', fault.message) : fault
  }
}

async function openSource(path: string): Promise<{ file: FileHandle; bytes: number }> {
  try {
    const file = await open(path)
    return { file, bytes: (await file.stat()).size }
  } catch (error) {
    throw storageFailure(error)
  }
}
