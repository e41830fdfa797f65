import { readFileSync } from 'node:fs'

/*
 * HEIC files assembled box by box, as phones write them: a grid of tiles, turned and mirrored by the container, with
 * EXIF and a colour profile. The tiles hold the HEVC stills of fixtures/ (see its README).
 */

export type HeicWish = {
  /** Rows of tile names: red, green, blue, white, lights. A single tile makes no grid. */
  tiles?: string[][]
  /** Counter-clockwise quarter turns, then a mirror: 0 upside down, 1 left to right. */
  turns?: 0 | 1 | 2 | 3
  mirror?: 0 | 1
  exif?: Buffer
  profile?: Buffer
  brands?: string[]
  /** The size that the container claims, whatever it holds. */
  claims?: { width: number; height: number }
  /**
   * Text for every place of the container that has room for it: items, their names, properties, boxes, a thumbnail,
   * padding.
   */
  words?: string
  /** Bytes to cut off at the end of the media data. */
  cut?: number
}

const tileEdge = 64
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

export const heic = (wish: HeicWish = {}): Buffer => {
  const { tiles = [['lights']], turns, mirror, exif, profile, brands = ['heic', 'mif1', 'heic'], cut = 0 } = wish
  const words = Buffer.from(wish.words ? `${wish.words}\0` : '')
  const names = tiles.flat()
  const stills = new Map(names.map(name => [name, stillOf(fixture(`${name}.hevc`))]))
  const [rows, columns] = [tiles.length, tiles[0]?.length ?? 0]
  const size = wish.claims ?? { width: columns * tileEdge, height: rows * tileEdge }
  const isGrid = rows * columns > 1

  // Tiles are hidden, as they are not pictures themselves.
  const items = names.map((name, n) => {
    const bytes = stills.get(name)?.picture ?? Buffer.alloc(0)
    return { id: n + 1, type: 'hvc1', bytes, hidden: isGrid }
  })
  const gridId = items.length + 1
  if (isGrid) items.push({ id: gridId, type: 'grid', bytes: gridOf(rows, columns, size), hidden: false })
  const exifId = items.length + 1
  if (exif) items.push({ id: exifId, type: 'Exif', bytes: Buffer.concat([u32(0), exif]), hidden: true })
  const main = isGrid ? gridId : 1
  const thumbnailId = items.length + 1
  if (wish.words) {
    items.push({ id: thumbnailId, type: 'hvc1', bytes: words, hidden: true })
    items.push({ id: thumbnailId + 1, type: 'mime', bytes: words, hidden: true })
    items.push({ id: thumbnailId + 2, type: 'uri ', bytes: words, hidden: true })
  }

  // Properties are referenced by their number, from 1.
  const properties: Buffer[] = []
  const property = (box: Buffer) => properties.push(box)
  const associations = new Map<number, number[]>()
  const tileSize = property(sizeBox(isGrid ? { width: tileEdge, height: tileEdge } : size))
  const decoders = new Map(
    [...stills].map(([name, still]) => [name, property(box('hvcC', still.configuration)) | 0x80]),
  )
  for (const [n, name] of names.entries()) associations.set(n + 1, [decoders.get(name) ?? 0, tileSize])
  const ofMain = isGrid ? [property(sizeBox(size))] : (associations.get(1) ?? [])
  if (profile) ofMain.push(property(box('colr', Buffer.from('prof'), profile)))
  if (turns !== undefined) ofMain.push(property(box('irot', Buffer.from([turns]))) | 0x80)
  if (mirror !== undefined) ofMain.push(property(box('imir', Buffer.from([mirror]))) | 0x80)
  if (wish.words) ofMain.push(property(full('udes', words)), property(box('uuid', Buffer.alloc(16), words)))
  associations.set(main, ofMain)

  const references = [
    ...(isGrid ? [box('dimg', u16(gridId), u16(names.length), ...names.map((_, n) => u16(n + 1)))] : []),
    ...(exif ? [box('cdsc', u16(exifId), u16(1), u16(main))] : []),
    ...(wish.words ? [box('thmb', u16(thumbnailId), u16(1), u16(main))] : []),
  ]
  const type = box('ftyp', Buffer.from(`${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1'))
  const metaOf = (start: number) => {
    let at = start
    const places = items.map(({ id, bytes }) => {
      at += bytes.length
      return Buffer.concat([u16(id), u16(0), u16(1), u32(at - bytes.length), u32(bytes.length)])
    })
    return full(
      'meta',
      full('hdlr', u32(0), Buffer.from('pict'), Buffer.alloc(12), words, Buffer.alloc(1)),
      ...(wish.words ? [box('free', words), full('xml ', words), box('dinf', words)] : []),
      full('pitm', u16(main)),
      full('iloc', Buffer.from([0x44, 0]), u16(items.length), ...places),
      full(
        'iinf',
        u16(items.length),
        ...items.map(({ id, type, hidden }) =>
          box(
            'infe',
            Buffer.from([2, 0, 0, hidden ? 1 : 0]),
            u16(id),
            u16(0),
            Buffer.from(type),
            words,
            Buffer.alloc(1),
          ),
        ),
      ),
      ...(references.length ? [full('iref', ...references)] : []),
      box('iprp', box('ipco', ...properties), associationsBox(associations)),
    )
  }
  const start = type.length + metaOf(0).length + 8
  const whole = Buffer.concat([type, metaOf(start), box('mdat', ...items.map(({ bytes }) => bytes), words)])
  return whole.subarray(0, whole.length - cut)
}

const gridOf = (rows: number, columns: number, { width, height }: { width: number; height: number }) =>
  Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(width), u32(height)])

const sizeBox = ({ width, height }: { width: number; height: number }) => full('ispe', u32(width), u32(height))

const associationsBox = (associations: Map<number, number[]>) =>
  full(
    'ipma',
    u32(associations.size),
    ...[...associations]
      .sort(([a], [b]) => a - b)
      .map(([id, numbers]) => Buffer.concat([u16(id), Buffer.from([numbers.length, ...numbers])])),
  )

/** An HEVC stream of one picture: its parameter sets, which the container wants separately, and the picture itself. */
const stillOf = (stream: Buffer) => {
  const units = unitsOf(stream)
  const kindOf = (unit: Buffer) => ((unit[0] ?? 0) >> 1) & 0x3f
  const sets = [32, 33, 34].map(kind => units.filter(unit => kindOf(unit) === kind))
  const picture = units.filter(unit => kindOf(unit) < 32).map(unit => Buffer.concat([u32(unit.length), unit]))
  // 4:2:0 in 8 bits; profile and level are those of the sequence's parameter set, without its escapes.
  const sequence = (sets[1]?.[0] ?? Buffer.alloc(16)).toString('hex')
  const profile = Buffer.from(sequence.replace(/((?:..)*?0000)03/g, '$1'), 'hex').subarray(3, 15)
  const configuration = Buffer.concat([
    Buffer.from([1]),
    profile,
    Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, sets.length]),
    ...sets.flatMap((set, n) => [
      Buffer.from([0xa0 + n]),
      u16(set.length),
      ...set.flatMap(unit => [u16(unit.length), unit]),
    ]),
  ])
  return { configuration, picture: Buffer.concat(picture) }
}

/** The NAL units between the start codes of a stream. */
const unitsOf = (stream: Buffer): Buffer[] => {
  const starts: number[] = []
  for (let at = stream.indexOf('\0\0\x01'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3)) starts.push(at)
  return starts.map((start, n) => {
    let end = starts[n + 1] ?? stream.length
    while (end > start && stream[end - 1] === 0) end -= 1
    return stream.subarray(start + 3, end)
  })
}

export const box = (type: string, ...contents: Buffer[]) => {
  const content = Buffer.concat(contents)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
const full = (type: string, ...contents: Buffer[]) => box(type, u32(0), ...contents)

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The same one-picture HEIC with these code points for its colours (ITU-T H.273), as some encoders write it. */
export const withColours = (file: Buffer, primaries: number, transfer: number): Buffer => {
  const colours = Buffer.from([0, 0, 0, 19, ...Buffer.from('colrnclx'), 0, primaries, 0, transfer, 0, 6, 0x80])
  const at = (name: string) => file.indexOf(name, 0, 'latin1') - 4
  const [properties, given] = [at('ipco'), at('ipma')]
  const [listed, count] = [boxesOf(file, properties), file.readUInt8(given + 18)]
  const changed = Buffer.from(file)
  const more = (name: string, bytes: number) => changed.writeUInt32BE(changed.readUInt32BE(at(name)) + bytes, at(name))
  for (const name of ['meta', 'iprp']) more(name, colours.length + 1)
  more('ipco', colours.length)
  more('ipma', 1)
  changed.writeUInt8(count + 1, given + 18)
  // The offset of its data in the file.
  const base = at('iloc') + 20
  changed.writeUInt32BE(changed.readUInt32BE(base) + colours.length + 1, base)
  return Buffer.concat([
    changed.subarray(0, given),
    colours,
    changed.subarray(given, given + 19 + count),
    Buffer.from([0x80 | (listed + 1)]),
    changed.subarray(given + 19 + count),
  ])
}

const boxesOf = (file: Buffer, around: number) => {
  let boxes = 0
  for (let at = around + 8; at < around + file.readUInt32BE(around); at += file.readUInt32BE(at)) boxes += 1
  return boxes
}
