import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { decoderWalls } from '../../platform/media/pictures/decoders/decoder-walls.ts'
import { mediaDirectory } from '../../platform/media/storage/open-storage.ts'
import { wallsOf } from '../../platform/sandbox/confinement.ts'
import { findVideoTool } from '../../platform/video/find-tool.ts'
import type { Config } from '../../settings/config.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'
import { withStorage } from './storage.ts'

/** Checks the storage of photos and the tools that decode them. */
export async function examineMedia(config: Config): Promise<Finding[]> {
  return [await examineStorage(config), await examinePictures(), await examineHeic(), await examineVideo(config)]
}

/** Stores a file as the service would, reads it back and removes it. */
async function examineStorage(config: Config): Promise<Finding> {
  const { dataDir, storage: settings } = config
  const place = settings.at === 'disk' ? mediaDirectory(config) : `s3://${settings.at.bucket}/${settings.at.prefix}`
  if (!existsSync(dataDir)) return mind('storage', `${dataDir} is not there yet.`, 'The first start makes it.')
  const startedAt = performance.now()
  const written = randomBytes(1024 * 1024)
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  try {
    const read = await withStorage(config, async storage => {
      const { path } = storage.temporary()
      await writeFile(path, written, { flag: 'wx', mode: 0o600 })
      await storage.put(path, sum(written))
      const { stream } = await storage.open(sum(written))
      return buffer(stream).finally(() => storage.remove(sum(written)))
    })
    if (sum(read) !== sum(written))
      return fault('storage', `${place} gives back other bytes than were kept.`, 'Replace it, and restore a backup.')
    return good('storage', `${place} keeps and gives back a file in ${(performance.now() - startedAt).toFixed(0)} ms.`)
  } catch (error) {
    return fault('storage', wordsOf(error), 'Let the user of the service write there, and make room.')
  }
}

async function examinePictures(): Promise<Finding> {
  try {
    const { default: sharp } = await import('sharp')
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fa0' } })
      .jpeg()
      .toBuffer()
    const { width } = await sharp(picture).metadata()
    if (width !== 8) throw new Error('sharp decodes wrongly')
    const confinement = await decoderWalls()
    const told = `libvips ${sharp.versions.vips} decodes and encodes behind ${wallsOf(confinement)}`
    if (confinement.sandboxed) return good('pictures', `${told}.`)
    return mind('pictures', `${told} (${confinement.why}).`, 'Install bubblewrap.')
  } catch (error) {
    return fault('pictures', wordsOf(error), 'Install again: npm ci. No photo can be taken in without it.')
  }
}

async function examineHeic(): Promise<Finding> {
  try {
    await import('heic-decode')
    return good('HEIC', "Phones' pictures are decoded.")
  } catch (error) {
    return fault('HEIC', wordsOf(error), 'Install again: npm ci. Pictures of most phones are refused without it.')
  }
}

async function examineVideo({ ffmpegPath }: Config): Promise<Finding> {
  try {
    const found = await findVideoTool(ffmpegPath, { info: () => {}, warn: () => {} })
    if (!found)
      return mind('video', 'Nothing here converts videos: they are refused.', 'Install ffmpeg, or set FFMPEG_PATH.')
    const { tool } = found
    const confinement = await found.confinement
    const told = `${tool.name} converts videos behind ${wallsOf(confinement)}`
    if (confinement.sandboxed) return good('video', `${told}.`)
    return mind('video', `${told} (${confinement.why}).`, 'Install bubblewrap.')
  } catch (error) {
    return fault('video', wordsOf(error), 'Mend FFMPEG_PATH, or take it away.')
  }
}
