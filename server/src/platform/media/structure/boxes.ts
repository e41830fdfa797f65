import type { Stretch } from './pieces.ts'

/** An ISO media box: `at` is the position of its size, `body` of its content, `end` the position after it. */
export type Box = { type: string; at: number; body: number; end: number; toTheEnd: boolean }

/** The box that begins here; null if none does that ends before `limit`. */
export const boxAt = (file: Buffer, at: number, limit: number): Box | null => {
  if (at + 8 > limit) return null
  const size = file.readUInt32BE(at)
  const type = file.toString('latin1', at + 4, at + 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return null
  if (size === 0) return { type, at, body: at + 8, end: limit, toTheEnd: true }
  if (size !== 1)
    return size >= 8 && at + size <= limit ? { type, at, body: at + 8, end: at + size, toTheEnd: false } : null
  if (at + 16 > limit) return null
  const large = file.readBigUInt64BE(at + 8)
  if (large < 16n || large > BigInt(limit - at)) return null
  return { type, at, body: at + 16, end: at + Number(large), toTheEnd: false }
}

/** The boxes from here to `limit`; null if they do not end there. */
export const boxesIn = (file: Buffer, from: number, limit: number): Box[] | null => {
  const boxes: Box[] = []
  for (let at = from; at < limit; ) {
    const box = boxAt(file, at, limit)
    if (!box) return null
    boxes.push(box)
    at = box.end
  }
  return boxes
}

const filmBoxes = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'uuid', 'udta', 'meta', 'moof', 'mfra'])
/** Pictures in the same kind of boxes. */
const pictureBrands = /^(?:avi[fs]|hei[cmsx]|hev[cmsx]|mif1|msf1|miaf|crx )$/
const beginningsMax = 16

/** The first video that lies here, however it is introduced; nothing but its boxes is part of it. */
export const filmWithin = (file: Buffer, from: number, limit = file.length): Stretch | null => {
  let at = file.indexOf('ftyp', from + 4, 'latin1') - 4
  for (let left = beginningsMax; at >= from && at < limit && left > 0; left -= 1) {
    const end = endOfFilm(file, at, limit)
    if (end !== null) return [at, end]
    at = file.indexOf('ftyp', at + 8, 'latin1') - 4
  }
  return null
}

const endOfFilm = (file: Buffer, from: number, limit: number): number | null => {
  if (pictureBrands.test(file.toString('latin1', from + 8, from + 12))) return null
  const seen = new Set<string>()
  let at = from
  for (let box = boxAt(file, at, limit); box; box = boxAt(file, at, limit)) {
    // Another file begins, or what follows is no box of a film.
    if (!filmBoxes.has(box.type) || (box.type === 'ftyp' && seen.size > 0)) break
    seen.add(box.type)
    at = box.end
  }
  return seen.has('moov') && seen.has('mdat') ? at : null
}
