/**
 * The contents of an EXIF block, by tag names; coordinates in degrees, minutes and seconds, north and east by default.
 */
export type ExifOptions = {
  Make?: string
  Model?: string
  DateTime?: string
  OffsetTime?: string
  DateTimeOriginal?: string
  OffsetTimeOriginal?: string
  SubSecTimeOriginal?: string
  /** The time of the satellites, in UTC. */
  GPSDateStamp?: string
  GPSTimeStamp?: number[]
  GPSLatitude?: number[]
  GPSLongitude?: number[]
  south?: boolean
  west?: boolean
  /** 1 to 8. */
  Orientation?: number
  MakerNote?: Buffer
}

type Entry = { tag: number; kind: number; count: number; value: Buffer }

/** An EXIF block as a camera writes it: a TIFF of three directories in the given byte order. */
export function exifBlock(wish: ExifOptions, order: 'II' | 'MM' = 'II'): Buffer {
  const little = order === 'II'
  const u16 = (value: number) => {
    const bytes = Buffer.alloc(2)
    if (little) bytes.writeUInt16LE(value)
    else bytes.writeUInt16BE(value)
    return bytes
  }
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (little) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const text = (tag: number, value: string | undefined): Entry[] =>
    value === undefined ? [] : [{ tag, kind: 2, count: value.length + 1, value: Buffer.from(`${value}\0`, 'latin1') }]
  // In thousandths; a zero denominator for a value that is no number.
  const fraction = (value: number) => [u32(Math.round((value || 0) * 1000)), u32(Number.isNaN(value) ? 0 : 1000)]
  const degrees = (tag: number, value: number[] | undefined): Entry[] =>
    value ? [{ tag, kind: 5, count: value.length, value: Buffer.concat(value.flatMap(fraction)) }] : []
  const pointer = (tag: number, to: number): Entry => ({ tag, kind: 4, count: 1, value: u32(to) })

  const detail = [
    ...text(0x9003, wish.DateTimeOriginal),
    ...text(0x9011, wish.OffsetTimeOriginal),
    ...text(0x9010, wish.OffsetTime),
    ...(wish.MakerNote ? [{ tag: 0x927c, kind: 7, count: wish.MakerNote.length, value: wish.MakerNote }] : []),
    ...text(0x9291, wish.SubSecTimeOriginal),
  ].sort((a, b) => a.tag - b.tag)
  const gps = [
    ...text(1, wish.GPSLatitude && (wish.south ? 'S' : 'N')),
    ...degrees(2, wish.GPSLatitude),
    ...text(3, wish.GPSLongitude && (wish.west ? 'W' : 'E')),
    ...degrees(4, wish.GPSLongitude),
    ...degrees(7, wish.GPSTimeStamp),
    ...text(0x1d, wish.GPSDateStamp),
  ]
  const mainOf = (detailAt: number, gpsAt: number) => [
    ...text(0x10f, wish.Make),
    ...text(0x110, wish.Model),
    ...(wish.Orientation ? [{ tag: 0x112, kind: 3, count: 1, value: u16(wish.Orientation) }] : []),
    ...text(0x132, wish.DateTime),
    pointer(0x8769, detailAt),
    ...(gps.length ? [pointer(0x8825, gpsAt)] : []),
  ]
  const detailAt = 8 + directory(mainOf(0, 0), 0).length
  const gpsAt = detailAt + directory(detail, 0).length
  const head = Buffer.concat([Buffer.from(order), u16(42), u32(8)])
  return Buffer.concat([
    head,
    directory(mainOf(detailAt, gpsAt), 8),
    directory(detail, detailAt),
    ...(gps.length ? [directory(gps, gpsAt)] : []),
  ])

  /** Entries of twelve bytes; values longer than four bytes follow the directory. */
  function directory(entries: Entry[], at: number): Buffer {
    let behind = at + 2 + entries.length * 12 + 4
    const apart: Buffer[] = []
    const rows = entries.map(({ tag, kind, count, value }) => {
      const head = [u16(tag), u16(kind), u32(count)]
      if (value.length <= 4) return Buffer.concat([...head, value, Buffer.alloc(4 - value.length)])
      apart.push(value)
      behind += value.length
      return Buffer.concat([...head, u32(behind - value.length)])
    })
    return Buffer.concat([u16(entries.length), ...rows, u32(0), ...apart])
  }
}

/** An iPhone's maker note, with the identifier of a Live Photo after its directory. */
export const appleNote = (identifier: string): Buffer => {
  const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
  const entry = (tag: number, kind: number, count: number, value: number) =>
    Buffer.concat([u16(tag), u16(kind), u16(0), u16(count), u16(0), u16(value)])
  const text = Buffer.from(`${identifier}\0`)
  const head = Buffer.from('Apple iOS\0\0\x01MM', 'latin1')
  const begin = head.length + 2 + 2 * 12 + 4
  const entries = [entry(0x0001, 9, 1, 14), entry(0x0011, 2, text.length, begin)]
  return Buffer.concat([head, u16(entries.length), ...entries, Buffer.alloc(4), text])
}
