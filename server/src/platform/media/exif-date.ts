const dateTime = 0x0132
const exifDirectory = 0x8769
const dateTimeOriginal = 0x9003

type Tiff = { bytes: Buffer; u16(at: number): number; u32(at: number): number }

/**
 * The moment a picture was taken, out of its EXIF block: the camera's local time read as if it were UTC, because
 * most cameras do not say which zone theirs is. Null for none, a blank one or a damaged block.
 */
export function takenAt(exif: Buffer | undefined): Date | null {
  const tiff = exif && openTiff(exif)
  if (!tiff) return null
  try {
    const main = entries(tiff, tiff.u32(4))
    const pointer = main.get(exifDirectory)
    const detail = pointer === undefined ? undefined : entries(tiff, tiff.u32(pointer + 8))
    return readDate(tiff, detail?.get(dateTimeOriginal)) ?? readDate(tiff, main.get(dateTime))
  } catch (error) {
    if (error instanceof RangeError) return null // an offset that leads out of the block
    throw error
  }
}

function openTiff(exif: Buffer): Tiff | null {
  const bytes = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const order = bytes.toString('latin1', 0, 4)
  if (order === 'II*\0') return { bytes, u16: at => bytes.readUInt16LE(at), u32: at => bytes.readUInt32LE(at) }
  if (order === 'MM\0*') return { bytes, u16: at => bytes.readUInt16BE(at), u32: at => bytes.readUInt32BE(at) }
  return null
}

/** Tag → where its 12-byte entry begins. A directory has at most 65 535 entries, so this ends. */
function entries(tiff: Tiff, directory: number): Map<number, number> {
  const found = new Map<number, number>()
  const count = tiff.u16(directory)
  for (let n = 0; n < count; n++) {
    const at = directory + 2 + n * 12
    found.set(tiff.u16(at), at)
  }
  return found
}

function readDate(tiff: Tiff, entry: number | undefined): Date | null {
  if (entry === undefined) return null
  const at = tiff.u32(entry + 8)
  const text = tiff.bytes.toString('latin1', at, at + 19)
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(text)
  if (!match || Number(match[1]) < 1900) return null // cameras without a set clock write zeros
  const iso = `${match[1]}-${match[2]}-${match[3]}T${match[4]}.000Z`
  const date = new Date(iso)
  // The 31st of February would become a day of March.
  return Number.isFinite(date.getTime()) && date.toISOString() === iso ? date : null
}
