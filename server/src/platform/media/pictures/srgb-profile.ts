const tagsAt = 128
const tagsMax = 100
/** Red, green and blue of sRGB as profiles state them, adapted to D50. */
const primaries = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const
const primariesApart = 0.001
const curves = ['rTRC', 'gTRC', 'bTRC'] as const
/** Half a step of 255, on a scale of 1. */
const curvesApart = 0.002
const samples = 64

/**
 * Tells whether an ICC profile describes sRGB, by any maker: then its conversion to sRGB, 40 ms of CPU for 12
 * megapixels, would change nothing. False for any profile with tables of colours, or one that cannot be parsed.
 */
export function isSrgb(profile: Buffer): boolean {
  try {
    const tags = tagsOf(profile)
    return (
      profile.toString('latin1', 16, 20) === 'RGB ' &&
      profile.toString('latin1', 20, 24) === 'XYZ ' &&
      ![...tags.keys()].some(name => /^[AB]2[AB]\d$|^[DB]2[DB]\d$/.test(name)) &&
      Object.entries(primaries).every(([name, xyz]) => isNear(pointOf(tags.get(name)), xyz, primariesApart)) &&
      curves.every(name => isSrgbCurve(tags.get(name)))
    )
  } catch (error) {
    // An offset that leads out of the profile.
    if (error instanceof RangeError) return false
    throw error
  }
}

function tagsOf(profile: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>()
  const count = Math.min(profile.readUInt32BE(tagsAt), tagsMax)
  for (let at = tagsAt + 4; at < tagsAt + 4 + 12 * count; at += 12) {
    const [from, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    tags.set(profile.toString('latin1', at, at + 4), profile.subarray(from, from + length))
  }
  return tags
}

const fixed = (tag: Buffer, at: number) => tag.readInt32BE(at) / 65_536
const pointOf = (tag: Buffer | undefined) => (tag ? [8, 12, 16].map(at => fixed(tag, at)) : [])
const isNear = (found: readonly number[], wanted: readonly number[], apart: number) =>
  wanted.every((value, at) => Math.abs(value - (found[at] ?? Number.NaN)) <= apart)

function isSrgbCurve(tag: Buffer | undefined): boolean {
  const curve = tag && curveOf(tag)
  if (!curve) return false
  for (let n = 0; n <= samples; n++) {
    const x = n / samples
    if (!(Math.abs(curve(x) - linear(x)) <= curvesApart)) return false
  }
  return true
}

const linear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)

/** The two forms in use: the formula with five numbers, and a table to interpolate in. */
function curveOf(tag: Buffer): ((x: number) => number) | undefined {
  const form = tag.toString('latin1', 0, 4)
  if (form === 'para' && tag.readUInt16BE(8) === 3) {
    const [g, a, b, c, d] = [12, 16, 20, 24, 28].map(at => fixed(tag, at)) as [number, number, number, number, number]
    return x => (x >= d ? (a * x + b) ** g : c * x)
  }
  const points = form === 'curv' ? tag.readUInt32BE(8) : 0
  if (points < 2) return undefined
  const point = (n: number) => tag.readUInt16BE(12 + 2 * Math.min(n, points - 1)) / 65_535
  return x => {
    const [below, part] = [Math.floor(x * (points - 1)), (x * (points - 1)) % 1]
    return point(below) * (1 - part) + point(below + 1) * part
  }
}

/** The profile of sRGB's colours, or of its greys, with a curve of this exponent. */
export function srgbLike(exponent: number, isGrey: boolean): Buffer {
  const curve = tag('curv', Buffer.from([0, 0, 0, 1, ...u16(Math.round(exponent * 256))]))
  const white = xyz([0.9642, 1, 0.8249])
  const tags: (readonly [name: string, body: Buffer])[] = isGrey
    ? [
        ['wtpt', white],
        ['kTRC', curve],
      ]
    : [
        ['wtpt', white],
        ...Object.entries(primaries).map(([name, point]) => [name, xyz(point)] as const),
        ...curves.map(name => [name, curve] as const),
      ]
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length)
  let at = tagsAt + table.length
  for (const [n, [name, body]] of tags.entries()) {
    table.write(name, 4 + 12 * n, 'latin1')
    table.writeUInt32BE(at, 8 + 12 * n)
    table.writeUInt32BE(body.length, 12 + 12 * n)
    at += body.length
  }
  const head = Buffer.alloc(tagsAt)
  head.writeUInt32BE(at)
  head.writeUInt32BE(0x02100000, 8)
  head.write(`mntr${isGrey ? 'GRAY' : 'RGB '}XYZ `, 12, 'latin1')
  head.write('acsp', 36, 'latin1')
  white.copy(head, 68, 8)
  return Buffer.concat([head, table, ...tags.map(([, body]) => body)])
}

const u16 = (value: number) => [value >> 8, value & 0xff]

/** Four bytes of name and four of nothing; the length is a multiple of four. */
const tag = (type: string, body: Buffer): Buffer => {
  const padded = Buffer.alloc(8 + Math.ceil(body.length / 4) * 4)
  padded.write(type, 'latin1')
  body.copy(padded, 8)
  return padded
}

const xyz = (point: readonly number[]): Buffer => {
  const body = Buffer.alloc(12)
  for (const [n, value] of point.entries()) body.writeInt32BE(Math.round(value * 65_536), 4 * n)
  return tag('XYZ ', body)
}
