import { createReadStream } from 'node:fs'
import { sentence } from '@afterglow/contract/words'
import { invalid, Unavailable } from '../http/refusals.ts'
import type { Turn } from '../jobs/fair-queue.ts'
import type { Sums } from './checksums.ts'
import { plainFileName } from './file-name.ts'
import { DecoderEnded } from './pictures/decoders/decoder.ts'
import { PictureRefused, type Pictures, type PreparedPicture } from './pictures/picture.ts'
import type { RefusalReason } from './pictures/picture-task.ts'
import type { Quotas } from './quotas.ts'
import { type ReceivedFile, receive } from './received-file.ts'
import type { Storage } from './storage/storage.ts'

/** A picture whose files are all safely on disk, before any row names it. */
export type StoredPicture = {
  /** Without anything after its end. */
  original: Sums
  /** The hash of the uploaded file, if it had more. */
  uploadSha256: string | null
  fileName: string | null
  prepared: PreparedPicture
  /** Files that came with it, which only some people get: variants by name. */
  beside: Beside
  /** The storage, where the files are. */
  has: Storage['has']
  quotas: Quotas
}

export type BesideFile = { sha256: string; bytes: number; crc32?: number; type: string }
/** `raw`: the sensor data. `live`: the video part, as it came. */
export type Beside = { raw?: BesideFile; live?: BesideFile }

export type Media = {
  /**
   * Decodes the upload of a form field when its turn comes and stores its files. Refuses with that field's validation
   * message.
   */
  keep(file: ReceivedFile, field: string, turn: Turn, shape?: 'photo' | 'avatar'): Promise<StoredPicture>
}

const types = 'jpg, jpeg, png, webp, gif, avif, heic, heif, cr2, cr3, nef, arw, dng, raf, orf, rw2'

export type MediaLimits = Quotas & { photoPixelsMax: number }

export const openMedia = (
  pictures: Pictures,
  storage: Storage,
  { photoPixelsMax: pixelsMax, ...quotas }: MediaLimits,
): Media => ({
  async keep(file, field, turn, shape = 'photo') {
    try {
      const prepared = await pictures.prepare(file.path, { pixelsMax, turn, shape })
      const original = await keepToItsEnd(file, prepared.end, storage)
      const uploadSha256 = original.sha256 === file.sha256 ? null : file.sha256
      return {
        original,
        uploadSha256,
        fileName: plainFileName(file.name),
        prepared,
        beside: {},
        has: storage.has,
        quotas,
      }
    } catch (error) {
      if (error instanceof DecoderEnded) throw new Unavailable('The picture could not be read just now.', 5)
      if (!(error instanceof PictureRefused)) throw error
      return invalid(field, sentenceFor(error.reason, Math.floor(pixelsMax / 1_000_000)))
    }
  },
})

/** Stores a picture without anything after its end, which could otherwise be used to store arbitrary data. */
const keepToItsEnd = async (file: ReceivedFile, end: number | null, storage: Storage): Promise<Sums> => {
  // A copy: the file may belong to a session, which must stay intact until its row says otherwise.
  const cut =
    end !== null && end > 0 && end < file.bytes
      ? await receive(createReadStream(file.path, { end: end - 1 }), { bytesMax: end }, storage)
      : file
  await storage.put(cut.path, cut.sha256)
  return { sha256: cut.sha256, bytes: cut.bytes, crc32: cut.crc32 }
}

const sentenceFor = (reason: RefusalReason, megapixels: number) => {
  if (reason === 'unsupported') return sentence.fileType(types)
  if (reason === 'too-many-pixels') return sentence.pixels(megapixels)
  if (reason === 'too-many-moving-pixels') return sentence.movingPixels(megapixels)
  if (reason === 'no-preview') return sentence.noPreview
  return reason === 'too-slow' ? sentence.tooSlow : sentence.image
}
