import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { isCrash, killGroup, NotSpawned, signalOf, spawnConfined } from '../../sandbox/confined-process.ts'
import type { Confined, Confinement } from '../../sandbox/confinement.ts'
import { openTimeLimit } from '../../sandbox/time-limit.ts'
import { type ReceivedFile, receive } from '../received-file.ts'
import { type Storage, storageFailure } from '../storage/storage.ts'
import { BrokenMessage, encodeHead, NoMessage, openMessageReader } from './decoder-messages.ts'
import { decoderCommand, decoderRoom } from './decoder-walls.ts'
import { type AnswerHead, answerHead, filesOf, type Task } from './picture-task.ts'

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

/** The files are temporaries of the storage; whoever receives the answer removes them. */
export type Answered = Pick<AnswerHead, 'answer' | 'swollen'> & { files: ReceivedFile[] }

export type Decoder = {
  pid: number
  ended(): boolean
  /** It sent something unsolicited: nothing it says from now on is to be trusted. */
  isSuspect(): boolean
  /** Sends it the file at `source`. Throws `DecoderEnded`, `StorageFailed`; after either it is gone. */
  perform(task: Task, source: string): Promise<Answered>
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
const readBytes = 256 * 1024
const signatureBytes = 12

/**
 * Starts a sandboxed decoder process. It performs one task at a time and is killed if one takes too long. Throws
 * `DecoderEnded` if none can be started.
 */
export function startDecoder(
  confinement: Confinement,
  { limitSeconds, swollenBytes = swollenBytesUsually, storage, log, program }: Starting,
): Decoder {
  const child = begin(confinement.around(decoderCommand([String(swollenBytes)], program), decoderRoom))
  const messages = openMessageReader(child.stdout)
  let complaint = ''
  let complained = 0
  let gone = false
  let why: DecoderEnded['how'] | undefined
  let dismissed = false

  child.on('error', error => log.warn({ err: error }, 'a picture decoder could not be started or reached'))
  // Writers are told of it as well.
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    complaint = (complaint + piece).slice(-1000)
    complained += piece.length
    if (complained > complaintBytesMax) kill('crashed')
  })
  const exited = new Promise<void>(resolve => {
    // `error` without more if the process could not even be started.
    child.once('exit', () => resolve())
    child.once('error', () => child.pid === undefined && resolve())
  }).then(() => {
    gone = true
    killGroup(child.pid)
  })

  const exchange = openExchange({
    child,
    messages,
    storage,
    kill,
    blameNobody: () => {
      why = 'lost'
    },
  })
  letGo()
  return {
    pid: child.pid ?? 0,
    ended: () => gone,
    isSuspect: () => messages.hasMore(),
    async perform(task, source) {
      if (gone) throw new DecoderEnded('lost', 'before its task')
      const { file, bytes } = await openSource(source)
      hold()
      const limit = openTimeLimit(child.pid ?? 0, limitSeconds, kill)
      try {
        return await exchange(task, file, bytes)
      } catch (fault) {
        // It has ended, or is killed at its time limit.
        await exited
        if (!(fault instanceof NoMessage || fault instanceof BrokenMessage)) throw storageFailure(fault)
        const signal = signalOf(child.exitCode, child.signalCode)
        const how = why ?? (isCrash(signal) ? 'crashed' : 'lost')
        const detail = `${fault.message}; ${signal ?? child.exitCode ?? 'not started'} ${complaint}`.trim()
        if (!dismissed) log.warn({ pid: child.pid, how, detail }, 'a picture decoder ended under a picture')
        throw new DecoderEnded(how, detail)
      } finally {
        limit.stop()
        await file.close()
        letGo()
      }
    },
    async end() {
      hold() // whoever waits for this may have nothing else to keep the process going
      dismissed = true
      kill('lost')
      await exited
    },
  }

  function kill(how: DecoderEnded['how']) {
    why ??= how
    killGroup(child.pid)
  }

  // An idle decoder does not keep the server's process alive; a working one does.
  function letGo() {
    child.unref()
    for (const end of [child.stdin, child.stdout, child.stderr]) (end as Socket).unref()
  }

  function hold() {
    child.ref()
    for (const end of [child.stdin, child.stdout, child.stderr]) (end as Socket).ref()
  }
}

type Exchanging = {
  child: ReturnType<typeof spawnConfined>
  messages: ReturnType<typeof openMessageReader>
  storage: Starting['storage']
  kill(how: DecoderEnded['how']): void
  blameNobody(): void
}

/** Hands a file over, and takes the answer with its files. */
function openExchange({ child, messages, storage, kill, blameNobody }: Exchanging) {
  return exchange

  async function exchange(task: Task, file: FileHandle, bytes: number): Promise<Answered> {
    const id = randomUUID()
    // A side with nothing more to say closes its stream, so that the other one ends as well.
    const giveUp = (error: unknown) => {
      if (!(error instanceof NoMessage)) kill(error instanceof BrokenMessage ? 'crashed' : 'lost')
      throw error
    }
    const sending = send(encodeHead({ id, files: [bytes], ...task }), file).catch(giveUp)
    const receiving = receiveAnswer(id).catch(giveUp)
    const [received, sent] = await Promise.allSettled([receiving, sending])
    if (received.status === 'fulfilled' && sent.status === 'fulfilled') return received.value
    if (received.status === 'fulfilled') await removeAll(received.value.files)
    const faults = [sent, received].flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
    throw faults.find(fault => !(fault instanceof NoMessage)) ?? faults[0]
  }

  /** A single buffer: a stream's chunks become garbage faster than they are collected. */
  async function send(head: Buffer, file: FileHandle) {
    const buffer = Buffer.allocUnsafeSlow(readBytes)
    for (let piece = head; piece.length > 0; ) {
      await write(piece)
      piece = buffer.subarray(0, (await file.read(buffer)).bytesRead)
    }
  }

  function write(piece: Buffer) {
    return new Promise<void>((resolve, reject) => {
      child.stdin.write(piece, error =>
        error ? reject(new NoMessage(`it takes no file (${error.message})`)) : resolve(),
      )
    })
  }

  async function receiveAnswer(id: string): Promise<Answered> {
    const head = answerHead.safeParse(await messages.head())
    if (!head.success) throw new BrokenMessage('an answer that is none')
    const { answer, swollen, files: lengths } = head.data
    const promised = filesOf(answer)
    if (head.data.id !== id) {
      blameNobody() // whatever picture made it lie, it need not be this one
      throw new BrokenMessage('an answer to another task')
    }
    if (lengths.length !== promised.length) throw new BrokenMessage('an answer without its files')
    const files: ReceivedFile[] = []
    try {
      for (const [at, { type }] of promised.entries()) files.push(await receiveFile(type, lengths[at] ?? 0))
      return { answer, swollen, files }
    } catch (error) {
      await removeAll(files)
      throw error
    }
  }

  async function receiveFile(type: string, bytes: number): Promise<ReceivedFile> {
    const beginning = await messages.bytes(Math.min(bytes, signatureBytes))
    if (!signatures[type]?.test(beginning.toString('latin1'))) throw new BrokenMessage(`a file that is no ${type}`)
    async function* all() {
      yield beginning
      yield* messages.stream(bytes - beginning.length)
    }
    return receive(Readable.from(all()), { bytesMax: bytes }, storage)
  }
}

function begin(command: Confined) {
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

const signatures: Record<string, RegExp> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/avif': /^.{4}ftypavif/s,
  'image/png': /^\x89PNG\r\n/,
  'image/gif': /^GIF8[79]a/,
}

const removeAll = (files: readonly ReceivedFile[]) => Promise.all(files.map(file => file.remove()))
