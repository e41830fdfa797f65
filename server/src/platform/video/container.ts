import { type FileHandle, open } from 'node:fs/promises'

/** The accepted containers; `demuxer` is what reads it, whatever the file claims to be. */
export type Container = { type: string; demuxer: 'mov' | 'avi' | 'asf' }

const mp4: Container = { type: 'video/mp4', demuxer: 'mov' }
const mov: Container = { type: 'video/quicktime', demuxer: 'mov' }
const avi: Container = { type: 'video/x-msvideo', demuxer: 'avi' }
const wmv: Container = { type: 'video/x-ms-wmv', demuxer: 'asf' }

const asfHeader = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
/** The same kind of file, but of pictures. */
const pictureBrands = /^(?:avi[fs]|hei[cmsx]|hev[cmsx]|mif1|msf1|miaf|crx |jp2 |jpx |jpm )$/
/** Boxes that QuickTime and cameras write before the first box that identifies the file. */
const before = new Set(['skip', 'free', 'wide', 'uuid', 'pnot', 'PICT'])

/**
 * Recognises a video's container by its first bytes, never by a name or a declared type; undefined for any other file.
 */
export const detectContainer = async (path: string): Promise<Container | undefined> => {
  const file = await open(path, 'r')
  try {
    const head = await bytesAt(file, 0, 16)
    if (head.equals(asfHeader)) return wmv
    if (head.toString('latin1', 0, 4) === 'RIFF') return head.toString('latin1', 8, 12) === 'AVI ' ? avi : undefined
    for await (const { type, body } of boxesOf(file)) {
      if (type === 'moov' || type === 'mdat') return mov
      if (type === 'ftyp') {
        const brand = (await bytesAt(file, body, 4)).toString('latin1')
        if (pictureBrands.test(brand)) return undefined
        return brand === 'qt  ' ? mov : mp4
      }
      if (!before.has(type)) return undefined
    }
    return undefined
  } finally {
    await file.close()
  }
}

/** Tells whether a MOV or MP4 ends before its last box, or lacks its index, which recorders write at the end. */
export const endsEarly = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let indexed = false
    for await (const { type, end } of boxesOf(file)) {
      if (end > size) return true
      indexed ||= type === 'moov'
    }
    return !indexed
  } finally {
    await file.close()
  }
}

/** The container for a file type recognised earlier. */
export const containerOf = (type: string): Container => {
  const found = [mp4, mov, avi, wmv].find(each => each.type === type)
  if (!found) throw new Error(`No video of ours is ${type}`)
  return found
}

const boxesMax = 64

/** The boxes of a file, whatever is in them; the last may end after the file does. */
async function* boxesOf(file: FileHandle) {
  for (let at = 0, left = boxesMax; left > 0; left -= 1) {
    const head = await bytesAt(file, at, 16)
    if (head.length < 8) return
    const type = head.toString('latin1', 4, 8)
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const bytes = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? Number.POSITIVE_INFINITY : short
    if (bytes < 8 || !/^[\x20-\x7e]{4}$/.test(type)) return
    // To the end of the file, where it does not say where it ends.
    const end = short === 0 ? (await file.stat()).size : at + bytes
    yield { type, body: at + (isLong ? 16 : 8), end }
    at = end
  }
}

const bytesAt = async (file: FileHandle, at: number, count: number) => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, at)
  return buffer.subarray(0, bytesRead)
}
