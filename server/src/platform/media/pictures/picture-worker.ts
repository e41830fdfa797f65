import { Console } from 'node:console'
import sharp from 'sharp'
import { readStructure } from '../structure/read-structure.ts'
import { encodeHead, type Head, openMessageReader } from './decoders/decoder-messages.ts'
import { decodePicture, orientationOf, TooDear, TooManyPixels } from './picture-decode.ts'
import type { EncodedFull } from './picture-encode.ts'
import { encodeMedium } from './picture-medium.ts'
import type { AnswerHead, PictureAnswer, PictureTask, Task } from './picture-task.ts'
import { isRaw, openRaw } from './raw.ts'
import { detectPicture, type PictureType } from './sniffed-type.ts'

/*
 * The program that decodes untrusted pictures, alone in a sandboxed process: it is sent one picture at a time and
 * answers with what it found and the pictures it made.
 */

if (process.argv[2] === 'trial') process.exit(0)

sharp.cache(false)
sharp.concurrency(1)
// Set for the whole process, so only here. All loaders are disabled, then those of our five types enabled, from memory
// only. This is what rejects SVG, PDF, ImageMagick's tricks and files inside files, whatever a polyglot looks like.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(reader => `VipsForeignLoad${reader}Buffer`),
})

const swollenBytes = Number(process.argv[2])

// Nothing but answers may be written there.
globalThis.console = new Console(process.stderr)
// Ctrl-C reaches the whole terminal group; the server drains and then ends us itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The server is gone, however it went. A running decode must not hold this process up.
process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL'))

const messages = openMessageReader(process.stdin)
for (;;) {
  // Our peer started us and sends what it was compiled to send.
  const { id, files, ...task } = (await messages.head()) as Head & Task
  const file = await messages.bytes(files[0] ?? 0)
  const { answer, made } = await perform(task, file)
  const head = { id, files: made.map(({ bytes }) => bytes.length), swollen: residentBytes() > swollenBytes, answer }
  for (const bytes of [encodeHead(head satisfies AnswerHead), ...made.map(each => each.bytes)])
    process.stdout.write(bytes)
  // Pixels are outside the heap, where the collector does not see them grow. They are young: a full collection would
  // free little more, for 8 of 133 ms.
  setImmediate(() => globalThis.gc?.({ type: 'minor' }))
}

type TaskResult = { answer: PictureAnswer; made: { bytes: Buffer }[] }

function perform(task: Task, file: Buffer): Promise<TaskResult> {
  switch (task.act) {
    case 'picture':
      return makePictures(task, file)
    case 'structure':
      return followStructure(file)
    case 'medium':
      return makeMedium(file)
  }
}

async function makePictures({ wanted, costMax }: PictureTask, file: Buffer): Promise<TaskResult> {
  const type = await detectPicture(file)
  if (type === 'unsupported' || type === 'not-a-picture') return { answer: { refused: type, detail: '' }, made: [] }
  const raw = isRaw(type) ? openRaw(file, type) : undefined
  if (raw === null) return { answer: { refused: 'no-preview', detail: '' }, made: [] }
  const [picture, shownType] = isRaw(type) ? [raw?.picture ?? file, 'image/jpeg' as const] : [file, type]
  const decoded = await decodePicture(picture, shownType, wanted, costMax ?? undefined).catch(refusal)
  if (!('display' in decoded)) return { answer: decoded, made: [] }
  const { display, preview, tile, orientation, ...rest } = decoded
  // A RAW is kept whole, because nothing says where it ends.
  const { incomplete: _, ...structure } = raw
    ? { end: null, full: raw.full, film: null, incomplete: false, ...raw.told }
    : readStructure(file, shownType, orientation)
  const whole = structure.full || wanted.shape !== 'photo' ? null : await encodeWhole(file, shownType, wanted)
  const told = {
    display: written(display),
    preview: written(preview),
    tile: tile && written(tile),
    whole: whole && written(whole),
  }
  return {
    answer: { made: { ...rest, ...structure, type, ...told } },
    made: [display, preview, tile, whole].filter(each => each !== null),
  }
}

/** Null if it decodes in the size of a screen only. */
function encodeWhole(file: Buffer, type: PictureType, wanted: PictureTask['wanted']): Promise<EncodedFull | null> {
  const decoded = decodePicture(file, type, { ...wanted, shape: 'full' })
  return decoded.then(
    ({ display }) => display,
    () => null,
  )
}

async function followStructure(file: Buffer): Promise<TaskResult> {
  const type = await detectPicture(file)
  if (type === 'unsupported' || type === 'not-a-picture') return { answer: { refused: type, detail: '' }, made: [] }
  if (isRaw(type)) return { answer: { full: openRaw(file, type)?.full ?? null, incomplete: false }, made: [] }
  const orientation = await orientationOf(file, type).catch(() => null)
  if (orientation === null) return { answer: { full: null, incomplete: false }, made: [] }
  const { full, incomplete } = readStructure(file, type, orientation)
  return { answer: { full, incomplete }, made: [] }
}

async function makeMedium(file: Buffer): Promise<TaskResult> {
  const made = await encodeMedium(file).catch(refusal)
  if (!Array.isArray(made)) return { answer: made, made: [] }
  return { answer: { medium: made.map(({ bytes: _, ...told }) => told) }, made }
}

function refusal(error: Error): PictureAnswer {
  if (error instanceof TooDear) return { cost: error.cost }
  const detail = error.message.slice(0, 300)
  if (error instanceof TooManyPixels && error.moving) return { refused: 'too-many-moving-pixels', detail }
  // HEIC: a grid of more tiles than libheif supports; a box with an impossible size is a lie.
  const limit = /pixel limit|security limit/i.test(error.message) && !/box size/i.test(error.message)
  if (error instanceof TooManyPixels || limit) return { refused: 'too-many-pixels', detail }
  return { refused: 'damaged', detail }
}

/** Without /proc, only the peak is known. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

function written<Type>({ type, width, height }: { type: Type; width: number; height: number }) {
  return { type, width, height }
}
