import { fileTypeFromBuffer } from 'file-type'
import { detectRaw, type RawType } from './raw.ts'

/** The decodable types; everything else is `unsupported` (a picture or video of another kind) or `not-a-picture`. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif' | 'image/heic'

const decodable: Record<string, PictureType> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
  'image/avif': 'image/avif',
}

// HEVC in a HEIF: a single picture, higher bit depths, several layers, sequences of those; then HEIF with any codec.
const heic = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'])

// Enough for any signature. With the whole file, a hostile archive or document could lead the detector through it.
const headBytes = 4100

/** Recognises a picture by its first bytes, never by a name or a declared type. */
export async function detectPicture(file: Buffer): Promise<PictureType | RawType | 'unsupported' | 'not-a-picture'> {
  const head = file.subarray(0, headBytes)
  const raw = detectRaw(file)
  if (raw) return raw
  // HEIC and AVIF share a container, and its major brand may only say `mif1`; the list of brands distinguishes them.
  const brands = brandsOf(head)
  if (brands.some(brand => brand === 'avif' || brand === 'avis')) return 'image/avif'
  if (brands.some(brand => heic.has(brand))) return 'image/heic'
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const type = found && decodable[found.mime]
  if (type) return type
  // Some cameras write other bytes between its start and the next marker, which decoders skip.
  if (!found && head[0] === 0xff && head[1] === 0xd8) return 'image/jpeg'
  // If its directory is far from its beginning, as scanners write it, nothing else identifies it.
  if (!found && isTiff(head)) return 'unsupported'
  return /^(image|video)\//.test(found?.mime ?? '') ? 'unsupported' : 'not-a-picture'
}

const isTiff = (head: Buffer) => /^(?:II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4))

function brandsOf(head: Buffer): string[] {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length, 256)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}
