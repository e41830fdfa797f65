import { open, readFile } from 'node:fs/promises'
import type { Place, Taken } from './exif.ts'
import { decodePicture, type Encoded, TooDear, TooManyPixels, type Wanted } from './picture-decode.ts'
import { type Read, readStructure } from './structure/read-structure.ts'
import { type PictureType, tellPicture } from './told-by-content.ts'

/*
 * The program that decodes strangers' pictures, alone in a process without secrets: it is given the path of a
 * file and of three files to write, one picture at a time, and answers what it found.
 */

export type RefusalReason =
  | 'not-a-picture'
  | 'unsupported'
  | 'too-many-pixels'
  /** Of all frames of an animation together. */
  | 'too-many-moving-pixels'
  | 'damaged'
  | 'too-slow'
export type Task = {
  source: string
  display: string
  preview: string
  tile: string
  wanted: Wanted
  costMax?: number | null
}
export type Written = Omit<Encoded, 'bytes'>
export type Made = Read & {
  type: PictureType
  width: number
  height: number
  thumbhash: string
  look: string | null
  taken: Taken | null
  place: Place | null
  display: Written
  preview: Written
  tile: Written | null
}
/** `failed`: not the picture's fault (it could not be read or written). */
export type Answer =
  | ({ made: Made } & Left)
  | ({ refused: RefusalReason; detail: string } & Left)
  /** It costs more than was allowed; nothing was decoded. */
  | ({ cost: number } & Left)
  | ({ failed: string; code?: string } & Left)
/** The picture may have left this process so large that it should be ended. */
type Left = { swollen?: boolean }

const swollenBytes = Number(process.argv[2])

// Ctrl-C reaches the whole terminal group; the server drains and then ends us itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The server is gone, however it went. A running decode must not hold this process up.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (task: Task) => void respond(task))

async function respond(task: Task) {
  const answer = await perform(task).catch(
    error => ({ failed: String(error?.message ?? error), code: error?.code }) satisfies Answer,
  )
  process.send?.({ ...answer, swollen: process.memoryUsage.rss() > swollenBytes } satisfies Answer)
  // Pixels lie outside of the heap, where the collector does not see them grow.
  setImmediate(() => globalThis.gc?.())
}

async function perform(task: Task): Promise<Answer> {
  const file = await readFile(task.source)
  const type = await tellPicture(file)
  if (type === 'unsupported' || type === 'not-a-picture') return { refused: type, detail: '' }
  const decoded = await decodePicture(file, type, task.wanted, task.costMax ?? undefined).catch(refusal)
  if (!('display' in decoded)) return decoded
  await write(task.display, decoded.display.bytes)
  await write(task.preview, decoded.preview.bytes)
  if (decoded.tile) await write(task.tile, decoded.tile.bytes)
  const { display, preview, tile, orientation, ...rest } = decoded
  const made = { display: written(display), preview: written(preview), tile: tile && written(tile) }
  return { made: { ...rest, ...readStructure(file, type, orientation), type, ...made } }
}

function refusal(error: Error): { refused: RefusalReason; detail: string } | { cost: number } {
  if (error instanceof TooDear) return { cost: error.cost }
  const detail = error.message.slice(0, 300)
  if (error instanceof TooManyPixels && error.moving) return { refused: 'too-many-moving-pixels', detail }
  // HEIC: a grid of more tiles than libheif takes.
  if (error instanceof TooManyPixels || /pixel limit|security limit/i.test(detail))
    return { refused: 'too-many-pixels', detail }
  if (/timeout/i.test(detail)) return { refused: 'too-slow', detail }
  return { refused: 'damaged', detail }
}

async function write(path: string, bytes: Buffer) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

const written = ({ type, width, height }: Encoded): Written => ({ type, width, height })
