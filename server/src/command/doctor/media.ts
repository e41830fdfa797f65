import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** Where photos lie, and what decodes them. */
export async function examineMedia(config: Config): Promise<Finding[]> {
  return [await examineStorage(config), await examinePictures(), await examineHeic()]
}

/** Writes, renames, reads and compares, next to the photos and apart from them. */
async function examineStorage({ dataDir }: Config): Promise<Finding> {
  const directory = existsSync(join(dataDir, 'media')) ? join(dataDir, 'media') : dataDir
  if (!existsSync(directory)) return mind('storage', `${dataDir} is not there yet.`, 'The first start makes it.')
  const written = randomBytes(1024 * 1024)
  const path = join(directory, `doctor-${process.pid}`)
  const startedAt = performance.now()
  try {
    const file = await open(`${path}.new`, 'wx', 0o600)
    await file.writeFile(written)
    await file.sync()
    await file.close()
    await rename(`${path}.new`, path)
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    if (sum(await readFile(path)) !== sum(written))
      return fault(
        'storage',
        `${directory} gives back other bytes than were written.`,
        'Replace the disk, and restore a backup.',
      )
    return good(
      'storage',
      `${directory} keeps and gives back a file in ${(performance.now() - startedAt).toFixed(0)} ms.`,
    )
  } catch (error) {
    return fault('storage', wordsOf(error), 'Let the user of the service write there, and make room.')
  } finally {
    await rm(path, { force: true }).catch(() => {})
    await rm(`${path}.new`, { force: true }).catch(() => {})
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
    return good('pictures', `libvips ${sharp.versions.vips} decodes and encodes.`)
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
