import type { Turn } from '../fair-queue.ts'
import { DecoderEnded, type Log } from './decoder.ts'
import type { Decoded } from './decoders.ts'
import { openDecoders } from './decoders.ts'
import type { Place, Taken } from './exif.ts'
import type { ReceivedFile } from './incoming.ts'
import type { Shape } from './picture-decode.ts'
import type { Made, RefusalReason, Written } from './picture-task.ts'
import type { Storage } from './storage.ts'
import type { Read } from './structure/read-structure.ts'
import type { PictureType } from './told-by-content.ts'

/** A file of ours in the storage, made from an upload. */
export type Variant = {
  sha256: string
  bytes: number
  /** Of one that was just made. */
  crc32?: number
  type: 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

export type PreparedPicture = Read & {
  /** What was uploaded; size upright. */
  type: PictureType
  width: number
  height: number
  /** ThumbHash, base64. */
  thumbhash: string
  /** What it looks like, for finding its doubles: 32 hex digits; null for one too plain. */
  look: string | null
  taken: Taken | null
  place: Place | null
  variants: { display: Variant; preview: Variant; tile?: Variant }
}

export class PictureRefused extends Error {
  override name = 'PictureRefused'
  reason: RefusalReason

  constructor(reason: RefusalReason, detail = '') {
    super(`The picture was refused (${reason}).${detail && ` ${detail}`}`)
    this.reason = reason
  }
}

/** Without a turn of somebody's it has the service's own share. */
export type Preparation = { pixelsMax: number; turn?: Turn; shape?: Shape; animated?: boolean }
const ownTurn: Turn = { who: 'service' }

export type Pictures = {
  /**
   * Makes the files of an upload and puts them in the storage. `pixelsMax` counts every frame of an animation.
   * It waits for its turn, however long, unless its asker is gone. A photo: within 2048, 640 and 400 px; an avatar: a square of 512 and 128. Nothing is enlarged. Throws
   * `PictureRefused`, `StorageFailed`, what a queue throws, or `DecoderEnded` when the process was killed from outside (worth a retry).
   */
  prepare(path: string, preparation: Preparation): Promise<PreparedPicture>
  /** Ends the processes; what is being prepared fails. */
  close(): Promise<void>
}

type Opening = {
  storage: Storage
  log: Log
  /** Pictures decoded at once, each by its own process. Two jobs of one thread beat one job of two. */
  concurrency?: number
  limitSeconds?: number
  idleSeconds?: number
}

/** Opens the decoding of pictures. Processes are started when a picture comes and ended when none came for a while. */
export function openPictures({
  storage,
  log,
  concurrency = 2,
  limitSeconds = 30,
  idleSeconds = 60,
}: Opening): Pictures {
  const decoders = openDecoders({ concurrency, limitSeconds, idleSeconds, storage, log })
  return {
    async prepare(path, { pixelsMax, turn = ownTurn, shape = 'photo', animated = true }) {
      const wanted = { pixelsMax, shape, animated, seconds: Math.ceil(limitSeconds * 0.8) }
      const { answer, files } = await decoders.perform({ act: 'picture', wanted }, path, turn).catch(refused)
      try {
        const { display, preview, tile, ...told } = madeOf(answer)
        const [large, small, smaller] = await Promise.all([
          keep(storage, files[0], display),
          keep(storage, files[1], preview),
          tile && keep(storage, files[2], tile),
        ])
        return { ...told, variants: { display: large, preview: small, ...(smaller && { tile: smaller }) } }
      } finally {
        await Promise.all(files.map(file => file.remove()))
      }
    },

    close: () => decoders.close(),
  }
}

// A decoder that crashes or hangs does so again on the same file: the picture's fault, so a refusal.
function refused(error: unknown): never {
  if (error instanceof DecoderEnded && error.how === 'crashed') throw new PictureRefused('damaged')
  if (error instanceof DecoderEnded && error.how === 'too-slow') throw new PictureRefused('too-slow')
  throw error
}

function madeOf(answer: Decoded['answer']): Made {
  if ('made' in answer) return answer.made
  throw new PictureRefused(answer.refused, answer.detail)
}

async function keep(storage: Storage, file: ReceivedFile | undefined, written: Written): Promise<Variant> {
  if (!file) throw new Error('There is no file.')
  const { path, sha256, bytes, crc32 } = file
  await storage.put(path, sha256)
  return { sha256, bytes, crc32, ...written }
}
