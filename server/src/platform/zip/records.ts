/*
 * The records of a zip file whose entries are stored uncompressed, with checksums and lengths known beforehand: the
 * whole layout follows from the entries, and any part of it can be written separately. Zip64 where a number does not
 * fit (APPNOTE 6.3.10, 4.3).
 */

export type Entry = {
  /** In characters that every file system accepts. */
  name: string
  bytes: number
  crc32: number
  /** Local time, as if it were UTC. */
  at: Date
}

const short = 0xffff
const long = 0xffffffff
const needs = { plain: 20, zip64: 45 }
/** The name is UTF-8 (general purpose bit 11); ASCII names do not need the bit. */
const flagsOf = (name: string) => (/[^\x20-\x7e]/.test(name) ? 1 << 11 : 0)
const madeByUnix = 3 << 8
/** A regular file, rw-r--r--. */
const mode = (0o100644 << 16) >>> 0

export const localHeader = ({ name, bytes, crc32, at }: Entry): Buffer => {
  const zip64 = bytes >= long
  const named = Buffer.from(name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(zip64 ? needs.zip64 : needs.plain, 4)
  header.writeUInt16LE(flagsOf(name), 6)
  header.writeUInt32LE(dosTime(at), 10)
  header.writeUInt32LE(crc32, 14)
  header.writeUInt32LE(zip64 ? long : bytes, 18)
  header.writeUInt32LE(zip64 ? long : bytes, 22)
  header.writeUInt16LE(named.length, 26)
  header.writeUInt16LE(zip64 ? 20 : 0, 28)
  return Buffer.concat([header, named, ...(zip64 ? [extra(bytes, bytes)] : [])])
}

/** Bytes of an entry's local header. */
export const localLength = ({ name, bytes }: Entry) => 30 + Buffer.byteLength(name) + (bytes >= long ? 20 : 0)

/** `offset` is the position of the entry's local header. */
export const centralHeader = ({ name, bytes, crc32, at }: Entry, offset: number): Buffer => {
  const [large, far] = [bytes >= long, offset >= long]
  const more = extra(...(large ? [bytes, bytes] : []), ...(far ? [offset] : []))
  const named = Buffer.from(name)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(madeByUnix | needs.zip64, 4)
  header.writeUInt16LE(more.length > 0 ? needs.zip64 : needs.plain, 6)
  header.writeUInt16LE(flagsOf(name), 8)
  header.writeUInt32LE(dosTime(at), 12)
  header.writeUInt32LE(crc32, 16)
  header.writeUInt32LE(large ? long : bytes, 20)
  header.writeUInt32LE(large ? long : bytes, 24)
  header.writeUInt16LE(named.length, 28)
  header.writeUInt16LE(more.length, 30)
  header.writeUInt32LE(mode, 38)
  header.writeUInt32LE(far ? long : offset, 42)
  return Buffer.concat([header, named, more])
}

export const centralLength = ({ name, bytes }: Entry, offset: number) => {
  const numbers = (bytes >= long ? 2 : 0) + (offset >= long ? 1 : 0)
  return 46 + Buffer.byteLength(name) + (numbers > 0 ? 4 + 8 * numbers : 0)
}

export type Directory = { entries: number; at: number; bytes: number }

/** The records after the central directory. */
export const endRecords = ({ entries, at, bytes }: Directory): Buffer => {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, short), 8)
  end.writeUInt16LE(Math.min(entries, short), 10)
  end.writeUInt32LE(Math.min(bytes, long), 12)
  end.writeUInt32LE(Math.min(at, long), 16)
  if (entries < short && bytes < long && at < long) return end

  const zip64 = Buffer.alloc(56)
  zip64.writeUInt32LE(0x06064b50, 0)
  zip64.writeBigUInt64LE(44n, 4)
  zip64.writeUInt16LE(madeByUnix | needs.zip64, 12)
  zip64.writeUInt16LE(needs.zip64, 14)
  for (const [position, value] of [entries, entries, bytes, at].entries())
    zip64.writeBigUInt64LE(BigInt(value), 24 + 8 * position)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([zip64, locator, end])
}

/** The zip64 extra field with the numbers that did not fit, in order. */
const extra = (...numbers: number[]): Buffer => {
  if (numbers.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [position, value] of numbers.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * position)
  return field
}

/** Time in the low half, date in the high one, to two seconds, from 1980 to 2107. */
const dosTime = (at: Date): number => {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107) - 1980
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}
