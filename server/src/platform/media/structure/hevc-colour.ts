import type { CodedColour } from './nclx.ts'

/*
 * Some encoders write a HEIC's colours only into its video stream: at the end of the sequence parameters (ITU-T H.265,
 * 7.3.2.2 and E.2.1), where every field before them has to be read. Null where something is used that still pictures do
 * not need.
 */

const sequenceParameters = 33

/** `config`: the content of the box `hvcC`. */
export const colourOfHevc = (config: Buffer): CodedColour | null => {
  let at = 23
  for (let arrays = config.readUInt8(22); arrays > 0; arrays -= 1) {
    const kind = config.readUInt8(at) & 0x3f
    const count = config.readUInt16BE(at + 1)
    at += 3
    for (let unit = 0; unit < count; unit++) {
      const length = config.readUInt16BE(at)
      if (kind === sequenceParameters) return colourIn(config.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }
  return null
}

const colourIn = (unit: Buffer): CodedColour | null => {
  const { bits, number, skip, numbers } = readerOf(unit)
  skip(16 + 4)
  const layers = bits(3)
  skip(1)
  // Profile, tier and level.
  skip(96)
  const present = Array.from({ length: layers }, () => ({ profile: bits(1), level: bits(1) }))
  if (layers > 0) skip(2 * (8 - layers))
  for (const { profile, level } of present) skip(88 * profile + 8 * level)
  number()
  if (number() === 3) skip(1)
  numbers(2)
  if (bits(1)) numbers(4)
  numbers(3)
  const ordered = bits(1) ? layers + 1 : 1
  numbers(3 * ordered)
  numbers(6)
  // Scaling lists.
  if (bits(1) && bits(1)) return null
  skip(2)
  if (bits(1)) {
    skip(8)
    numbers(2)
    skip(1)
  }
  // References to other pictures.
  if (number() > 0 || bits(1)) return null
  skip(2)
  if (!bits(1)) return null
  if (bits(1) && bits(8) === 255) skip(32)
  if (bits(1)) skip(1)
  if (!bits(1)) return null
  skip(4)
  return bits(1) ? { primaries: bits(8), transfer: bits(8) } : null
}

/** Throws a RangeError behind the end. */
const readerOf = (unit: Buffer) => {
  // Three bytes 0 0 3 stand for two.
  const plain = Buffer.from(unit.toString('latin1').replaceAll('\0\0\x03', '\0\0'), 'latin1')
  let at = 0
  const bit = () => {
    const value = (plain.readUInt8(at >> 3) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  const bits = (count: number) => {
    let value = 0
    for (let left = count; left > 0; left -= 1) value = value * 2 + bit()
    return value
  }
  const skip = (count: number) => {
    at += count
  }
  /** A number of variable length: as many zeros first as digits follow the one. */
  const number = () => {
    let zeros = 0
    while (bit() === 0) zeros += 1
    if (zeros > 31) throw new RangeError('a number too large')
    return 2 ** zeros - 1 + bits(zeros)
  }
  const numbers = (count: number) => {
    for (let left = count; left > 0; left -= 1) number()
  }
  return { bits, number, skip, numbers }
}
