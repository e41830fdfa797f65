import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { type ReceivedFile, receive } from '../../received-file.ts'
import { answerHead, filesOf, type Task } from '../picture-task.ts'
import type { DecoderAnswer, DecoderEnded, Starting } from './decoder.ts'
import { BrokenMessage, encodeHead, type MessageReader, NoMessage } from './decoder-messages.ts'

const readBytes = 256 * 1024
const signatureBytes = 12

export type Exchanging = {
  stdin: Writable
  messages: MessageReader
  storage: Starting['storage']
  kill(how: DecoderEnded['how']): void
  blameNobody(): void
}

/** Hands a file over, and takes the answer with its files. */
export async function exchange(
  exchanging: Exchanging,
  task: Task,
  { file, bytes }: { file: FileHandle; bytes: number },
): Promise<DecoderAnswer> {
  const id = randomUUID()
  // A side that has finished closes its stream, so that the other one ends as well.
  const giveUp = (error: unknown) => {
    if (!(error instanceof NoMessage)) exchanging.kill(error instanceof BrokenMessage ? 'crashed' : 'lost')
    throw error
  }
  const sending = send(exchanging.stdin, encodeHead({ id, files: [bytes], ...task }), file).catch(giveUp)
  const receiving = receiveAnswer(exchanging, id).catch(giveUp)
  const [received, sent] = await Promise.allSettled([receiving, sending])
  if (received.status === 'fulfilled' && sent.status === 'fulfilled') return received.value
  if (received.status === 'fulfilled') await removeAll(received.value.files)
  const faults = [sent, received].flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  throw faults.find(fault => !(fault instanceof NoMessage)) ?? faults[0]
}

/** A single buffer: a stream's chunks become garbage faster than they are collected. */
async function send(stdin: Writable, head: Buffer, file: FileHandle) {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  for (let piece = head; piece.length > 0; ) {
    await write(stdin, piece)
    piece = buffer.subarray(0, (await file.read(buffer)).bytesRead)
  }
}

function write(stdin: Writable, piece: Buffer) {
  return new Promise<void>((resolve, reject) => {
    stdin.write(piece, error => (error ? reject(new NoMessage(`it takes no file (${error.message})`)) : resolve()))
  })
}

async function receiveAnswer(exchanging: Exchanging, id: string): Promise<DecoderAnswer> {
  const head = answerHead.safeParse(await exchanging.messages.head())
  if (!head.success) throw new BrokenMessage('an answer that is none')
  const { answer, swollen, files: lengths } = head.data
  const promised = filesOf(answer)
  if (head.data.id !== id) {
    exchanging.blameNobody() // any earlier picture may have compromised it, so this one is not blamed
    throw new BrokenMessage('an answer to another task')
  }
  if (lengths.length !== promised.length) throw new BrokenMessage('an answer without its files')
  const files: ReceivedFile[] = []
  try {
    for (const [at, { type }] of promised.entries()) files.push(await receiveFile(exchanging, type, lengths[at] ?? 0))
    return { answer, swollen, files }
  } catch (error) {
    await removeAll(files)
    throw error
  }
}

async function receiveFile({ messages, storage }: Exchanging, type: string, bytes: number): Promise<ReceivedFile> {
  const beginning = await messages.bytes(Math.min(bytes, signatureBytes))
  if (!signatures[type]?.test(beginning.toString('latin1'))) throw new BrokenMessage(`a file that is no ${type}`)
  async function* all() {
    yield beginning
    yield* messages.stream(bytes - beginning.length)
  }
  return receive(Readable.from(all()), { bytesMax: bytes }, storage)
}

const signatures: Record<string, RegExp> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/avif': /^.{4}ftypavif/s,
  'image/png': /^\x89PNG\r\n/,
  'image/gif': /^GIF8[79]a/,
}

const removeAll = (files: readonly ReceivedFile[]) => Promise.all(files.map(file => file.remove()))
