import { lengthOf, type Piece } from './pieces.ts'

/*
 * The gain map of an Ultra HDR picture: a second, small JPEG behind the first, by which bright screens show more light.
 * It stays in the full size. Its declarations, XMP and an index (MPF), are rewritten from its numbers alone, so that
 * nothing else goes along.
 */

const xmpName = 'http://ns.adobe.com/xap/1.0/\0'
/** The same numbers in ISO 21496-1's own form. */
const isoName = 'urn:iso:std:iso:ts:21496:-1\0'
const isoBytesMax = 256

const numbers = [
  'GainMapMin',
  'GainMapMax',
  'Gamma',
  'OffsetSDR',
  'OffsetHDR',
  'HDRCapacityMin',
  'HDRCapacityMax',
] as const
const number = '-?\\d{1,6}(?:\\.\\d{1,12})?'

/** A picture's declaration as a gain map: its ISO segment, and its numbers as XMP. Empty if it is none. */
export const gainMapIn = (jpeg: Buffer): Buffer[] => {
  const segments = segmentsOf(jpeg)
  const packet =
    segments.find(({ marker, body }) => marker === 0xe1 && isNamed(body, xmpName))?.body.toString('latin1') ?? ''
  const iso = segments.filter(isIso).map(({ body }) => segment(0xe2, body))
  return [...(/\bhdrgm:GainMapMax\b/.test(packet) ? [xmpSegment(description(packet))] : []), ...iso]
}

/** ISO's segment in the picture itself, which only has a version. */
export const isoIn = (jpeg: Buffer): Buffer[] =>
  segmentsOf(jpeg)
    .filter(isIso)
    .map(({ body }) => segment(0xe2, body))

/** Puts them together: each in pieces, from its first two bytes on. */
export const withGainMap = (
  picture: readonly Piece[],
  gainMap: readonly Piece[],
  said: readonly Buffer[],
  iso: readonly Buffer[],
): Piece[] => {
  const behind = afterStart(gainMap, said)
  const bytes = lengthOf(behind)
  const head = [xmpSegment(directory(bytes)), ...iso]
  const index = (whole: number) => {
    // Its offsets count from its own header.
    const own = 2 + lengthOfAll(head) + 8
    return segment(
      0xe2,
      Buffer.concat([Buffer.from('MPF\0'), indexOf({ picture: whole, gainMap: bytes, at: whole - own })]),
    )
  }
  const whole = lengthOf(afterStart(picture, [...head, index(0)]))
  return [...afterStart(picture, [...head, index(whole)]), ...behind]
}

const lengthOfAll = (buffers: readonly Buffer[]) => buffers.reduce((sum, { length }) => sum + length, 0)

const afterStart = (pieces: readonly Piece[], more: readonly Buffer[]): Piece[] => {
  const [first, ...rest] = pieces
  if (!Array.isArray(first)) throw new RangeError('no start')
  const [from, to] = first
  const put = Buffer.concat(more).toString('base64')
  return [[from, from + 2], put, ...(to > from + 2 ? [[from + 2, to] satisfies Piece] : []), ...rest]
}

type Segment = { marker: number; body: Buffer }

/** The segments before the first table or scan. */
const segmentsOf = (jpeg: Buffer): Segment[] => {
  const found: Segment[] = []
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] as number
    if (marker === 0xda || jpeg.readUInt16BE(at + 2) < 2) break
    found.push({ marker, body: jpeg.subarray(at + 4, at + 2 + jpeg.readUInt16BE(at + 2)) })
  }
  return found
}

const isNamed = (body: Buffer, name: string) => body.toString('latin1', 0, name.length) === name
const isIso = ({ marker, body }: Segment) => marker === 0xe2 && isNamed(body, isoName) && body.length <= isoBytesMax

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

const xmpSegment = (inner: string) =>
  segment(
    0xe1,
    Buffer.from(
      `${xmpName}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${inner}</rdf:RDF></x:xmpmeta>`,
      'latin1',
    ),
  )

const hdrgm = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'

/** One number, or one for each colour. */
const description = (packet: string) => {
  const attribute = (name: string) => new RegExp(`hdrgm:${name}\\s*(?:=\\s*["']|>\\s*)(${number})`).exec(packet)?.[1]
  const list = (name: string) =>
    new RegExp(`<hdrgm:${name}>\\s*<rdf:Seq>((?:\\s*<rdf:li>${number}</rdf:li>){3})\\s*</rdf:Seq>`).exec(packet)?.[1]
  const base = /hdrgm:BaseRenditionIsHDR\s*(?:=\s*["']|>\s*)(True|False)/i.exec(packet)?.[1] ?? 'False'
  const single = numbers.flatMap(name => {
    const value = list(name) === undefined ? attribute(name) : undefined
    return value === undefined ? [] : [` hdrgm:${name}="${value}"`]
  })
  const several = numbers.flatMap(name => {
    const values = list(name)
    return values === undefined
      ? []
      : [`<hdrgm:${name}><rdf:Seq>${values.replace(/\s+/g, '')}</rdf:Seq></hdrgm:${name}>`]
  })
  return `<rdf:Description ${hdrgm} hdrgm:BaseRenditionIsHDR="${base}"${single.join('')}>${several.join('')}</rdf:Description>`
}

const directory = (bytes: number) => {
  const item = (about: string) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" ${about}/></rdf:li>`
  const items = item('Item:Semantic="Primary"') + item(`Item:Semantic="GainMap" Item:Length="${bytes}"`)
  const spaces =
    'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"'
  return `<rdf:Description ${spaces} ${hdrgm}><Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory></rdf:Description>`
}

/** Two pictures (CIPA DC-007): where each is and how long. */
const indexOf = ({ picture, gainMap, at }: { picture: number; gainMap: number; at: number }) => {
  const u16 = (value: number) => [value >> 8, value & 255]
  const u32 = (value: number) => [...u16((value >>> 16) & 0xffff), ...u16(value & 0xffff)]
  const entry = (tag: number, kind: number, count: number, value: number[]) => [
    ...u16(tag),
    ...u16(kind),
    ...u32(count),
    ...value,
  ]
  const entriesAt = 8 + 2 + 3 * 12 + 4
  return Buffer.from([
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
    ...u16(3),
    ...entry(0xb000, 7, 4, [...Buffer.from('0100')]),
    ...entry(0xb001, 4, 1, u32(2)),
    ...entry(0xb002, 7, 32, u32(entriesAt)),
    ...u32(0),
    ...[...u32(0x030000), ...u32(picture), ...u32(0), ...u32(0)],
    ...[...u32(0), ...u32(gainMap), ...u32(at), ...u32(0)],
  ])
}
