import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Turn } from '../../jobs/fair-queue.ts'
import type { ReceivedFile } from '../received-file.ts'
import type { Storage } from '../storage/storage.ts'
import type { Read } from '../structure/read-structure.ts'
import type { CoverWords } from './cover-size.ts'
import { DecoderEnded, type Log } from './decoders/decoder.ts'
import type { DecodingResult } from './decoders/decoders.ts'
import { openDecoders } from './decoders/decoders.ts'
import type { CaptureTime, GeoLocation } from './exif.ts'
import type { Shape } from './picture-decode.ts'
import type { Made, MediumWritten, RefusalReason, Written } from './picture-task.ts'
import type { RawType } from './raw.ts'
import type { PictureType } from './sniffed-type.ts'

/** A stored file made from an upload. */
export type Variant = {
  sha256: string
  bytes: number
  /** For one that was just made. */
  crc32?: number
  type: 'image/jpeg' | 'image/webp' | 'image/avif' | 'image/png' | 'image/gif'
  width: number
  height: number
}

export type PreparedPicture = Read & {
  /** The upload, with its upright size. */
  type: PictureType | RawType
  width: number
  height: number
  /** ThumbHash, base64. */
  thumbhash: string
  /** Its look, for finding duplicates: 32 hex digits; null for one too plain. */
  look: string | null
  taken: CaptureTime | null
  place: GeoLocation | null
  /** `full`: re-encoded in full size, because its structure cannot be parsed. */
  variants: { display: Variant; preview: Variant; tile?: Variant; full?: Variant }
}

export class PictureRefused extends Error {
  override name = 'PictureRefused'
  reason: RefusalReason

  constructor(reason: RefusalReason, detail = '') {
    super(`The picture was refused (${reason}).${detail && ` ${detail}`}`)
    this.reason = reason
  }
}

/** Without a caller, it has the service's own share. */
export type Preparation = { pixelsMax: number; turn?: Turn; shape?: Shape; animated?: boolean; words?: CoverWords }
const ownTurn: Turn = { who: 'service' }
/** No edge of anything we make exceeds 2048 px. */
const coverPixelsMax = 2048 ** 2

const latin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u
/** Whether every letter has a shape: our font has Latin ones, and a row of boxes would be worse than a bare picture. */
const isDrawable = (text: string) =>
  existsSync('/usr/share/fonts') || (latin.test(text) && !/\p{Extended_Pictographic}/u.test(text))

export type Pictures = {
  /**
   * Makes the files of an upload and stores them. `pixelsMax` counts every frame of an animation. It waits for its
   * turn, however long, unless its caller is gone. A photo: within 2048, 640 and 400 px; an avatar: a square of 512 and
   * 128. Nothing is enlarged. Throws `PictureRefused`, `StorageFailed`, what a queue throws, or `DecoderEnded` if the
   * process was killed externally (worth a retry).
   */
  prepare(path: string, preparation: Preparation): Promise<PreparedPicture>
  /**
   * Parses which part of an upload is handed out in full size (null if its structure cannot be parsed), and whether the
   * file ends too early. Throws like `prepare`.
   */
  follow(path: string, turn?: Turn): Promise<Pick<Read, 'full' | 'incomplete'>>
  /**
   * The picture in link previews, made from a picture that we made ourselves, with words over its foot; a JPEG that is
   * not stored. Throws like `prepare`.
   */
  cover(path: string, words: CoverWords): Promise<Buffer>
  /** Waits until nobody waits for a picture; false if aborted before. */
  quiet(signal: AbortSignal): Promise<boolean>
  /**
   * The medium size of a picture in display size that we made: a JPEG, an AVIF, both or neither, whatever saves a third.
   * Stores them. Throws like `prepare`.
   */
  medium(path: string): Promise<Variant[]>
  /** Ends the processes; work in progress fails. */
  close(): Promise<void>
}

type PictureOptions = {
  storage: Storage
  log: Log
  /** Pictures decoded at once, each by its own process. Two single-threaded jobs beat one job with two threads. */
  concurrency?: number
  limitSeconds?: number
  idleSeconds?: number
}

/** Opens picture decoding. Processes are started when a picture arrives and ended after a while without one. */
export function openPictures({
  storage,
  log,
  concurrency = 2,
  limitSeconds = 30,
  idleSeconds = 60,
}: PictureOptions): Pictures {
  const decoders = openDecoders({ concurrency, limitSeconds, idleSeconds, storage, log })
  const perform = (
    path: string,
    { pixelsMax, turn = ownTurn, shape = 'photo', animated = true, words }: Preparation,
  ) => {
    const wanted = { pixelsMax, shape, animated, ...(words && { words }) }
    return decoders.perform({ act: 'picture', wanted }, path, turn).catch(refused)
  }
  return {
    async prepare(path, preparation) {
      const { shape = 'photo' } = preparation
      const { answer, files } = await perform(path, preparation)
      try {
        const { display, preview, tile, whole, ...told } = madeOf(answer)
        const [large, small, smaller, full] = await Promise.all([
          keep(storage, files[0], display),
          // Nobody needs a small version of a full size: a file that no row names would wait for the sweeper.
          shape === 'full' ? undefined : keep(storage, files[1], preview),
          tile && keep(storage, files[2], tile),
          whole && keep(storage, files[tile ? 3 : 2], whole),
        ])
        const more = { ...(smaller && { tile: smaller }), ...(full && { full }) }
        return { ...told, variants: { display: large, preview: small ?? large, ...more } }
      } finally {
        await Promise.all(files.map(file => file.remove()))
      }
    },

    async follow(path, turn = ownTurn) {
      const { answer } = await decoders.perform({ act: 'structure' }, path, turn).catch(refused)
      return 'full' in answer ? answer : madeOf(answer)
    },

    async cover(path, words) {
      const drawn = isDrawable(words.name + words.line) && { words }
      const wanted = { pixelsMax: coverPixelsMax, shape: 'cover', animated: false, ...drawn } as const
      const { answer, files } = await perform(path, wanted)
      try {
        madeOf(answer)
        return await readFile((files[0] as ReceivedFile).path)
      } finally {
        await Promise.all(files.map(file => file.remove()))
      }
    },

    quiet: signal => decoders.quiet(signal),

    async medium(path) {
      const { answer, files } = await decoders.perform({ act: 'medium' }, path, ownTurn).catch(refused)
      try {
        if ('refused' in answer) throw new PictureRefused(answer.refused, answer.detail)
        if (!('medium' in answer)) throw new DecoderEnded('lost', 'an answer to another task')
        return await Promise.all(answer.medium.map((told, at) => keep(storage, files[at], told)))
      } finally {
        await Promise.all(files.map(file => file.remove()))
      }
    },

    close: () => decoders.close(),
  }
}

// A decoder that crashes or hangs would do so again on the same file: the picture's fault, so a refusal.
function refused(error: unknown): never {
  if (error instanceof DecoderEnded && error.how === 'crashed') throw new PictureRefused('damaged')
  if (error instanceof DecoderEnded && error.how === 'too-slow') throw new PictureRefused('too-slow')
  throw error
}

function madeOf(answer: DecodingResult['answer']): Made {
  if ('made' in answer) return answer.made
  if ('full' in answer || 'medium' in answer) throw new DecoderEnded('lost', 'an answer to another task')
  throw new PictureRefused(answer.refused, answer.detail)
}

async function keep(
  storage: Storage,
  file: ReceivedFile | undefined,
  written: Written | MediumWritten,
): Promise<Variant> {
  if (!file) throw new Error('There is no file.')
  const { path, sha256, bytes, crc32 } = file
  await storage.put(path, sha256)
  return { sha256, bytes, crc32, ...written }
}
