import { gainMapIn, isoIn, withGainMap } from './gain-map.ts'
import { declaredTail } from './jpeg-tail.ts'
import { orientationAlone, turns } from './orientation.ts'
import { CannotFollow, demand, gather, type Piece, type Stretch } from './pieces.ts'
import type { Structure } from './read-structure.ts'

const [soi, eoi, sos, app0, app14, app15, comment] = [0xd8, 0xd9, 0xda, 0xe0, 0xee, 0xef, 0xfe] as const
/** Segments for arithmetic and Huffman tables, quantization, restarts, lines; frames are below. */
const tables = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && !tables.has(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * A JPEG from its first marker to the end of its image. Keeps frames, tables, scans, ICC, and JFIF and Adobe segments
 * in their proper length, so that nothing hides after them. Hierarchical ones are not supported. `lenient`: bytes and
 * markers between segments that every decoder skips are left out, and a missing end is added.
 */
export const readJpeg = (file: Buffer, orientation: number, { lenient = false } = {}): Structure => {
  const kept = gather()
  const tail = declaredTail(file)
  demand(file[0] === 0xff && file[1] === soi, 'no start')
  kept.keep(0, 2)
  let turned = !turns(orientation)
  let scans = 0
  const ended = (): Structure => {
    demand(lenient && scans > 0, 'cut')
    kept.put(Buffer.from([0xff, eoi]))
    return { end: file.length, pieces: kept.all(), film: null, incomplete: true }
  }
  for (let at = 2; ; ) {
    const found = nextMarker(file, at)
    if (!found) return ended()
    const { begin, marker } = found
    demand(lenient || begin === at, 'no marker')
    at = found.end
    if (marker === eoi) {
      kept.keep(begin, at)
      const pieces = kept.all()
      const whole = lenient ? besideGainMap(file, pieces, tail.pictures(at)) : pieces
      return { end: tail.end(at), pieces: whole, film: tail.film(at) }
    }
    if (lenient && (isRestart(marker) || marker === 0x01 || (marker === soi && scans === 0))) continue
    demand(marker >= 0xc0 && marker !== soi && !isRestart(marker), 'a marker out of place')
    if (at + 2 > file.length) return ended()
    const length = file.readUInt16BE(at)
    // A camera's segment of no length at all.
    if (lenient && length < 2 && isApplication(marker)) {
      at += 2
      continue
    }
    const body = file.subarray(at + 2, at + length)
    at += length
    demand(length >= 2, 'a segment longer than the file')
    if (at > file.length) return ended()

    if (!turned && marker !== app0) {
      kept.put(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), orientationAlone(orientation)])))
      turned = true
    }
    if (marker === sos) {
      demand(body.length === 4 + 2 * (body[0] ?? 0), 'a scan of another length')
      const coded = at
      at = endOfScan(file, at)
      scans += at > coded ? 1 : 0
      // Half a marker at the end of a cut file is none.
      kept.keep(begin, at === file.length && file[at - 1] === 0xff ? at - 1 : at)
    } else if (isFrame(marker)) {
      demand(body.length === 6 + 3 * (body[5] ?? 0), 'a frame of another length')
      kept.keep(begin, at)
    } else if (tables.has(marker)) {
      demand(tablesFit(marker, body), 'tables of another length')
      kept.keep(begin, at)
    } else if (marker === app0 && isNamed(body, 'JFIF\0') && body.length >= 14) {
      // Without the thumbnail.
      if (body.length === 14 && body[12] === 0 && body[13] === 0) kept.keep(begin, at)
      else kept.put(segment(app0, Buffer.concat([body.subarray(0, 12), Buffer.alloc(2)])))
    } else if (marker === app14 && isNamed(body, 'Adobe') && body.length >= 12) {
      if (body.length === 12) kept.keep(begin, at)
      else kept.put(segment(app14, body.subarray(0, 12)))
    } else if (marker === 0xe2 && isNamed(body, 'ICC_PROFILE\0')) kept.keep(begin, at)
    else {
      demand(isApplication(marker), 'an unknown segment')
      tail.hear(marker, body, at - body.length)
    }
  }
}

/** With the first of these that is a gain map and can be parsed. */
const besideGainMap = (file: Buffer, pieces: Piece[], pictures: readonly Stretch[]): Piece[] => {
  for (const [from, to] of pictures) {
    const said = gainMapIn(file.subarray(from, to))
    const own = said.length > 0 && piecesOf(file.subarray(from, to))
    if (own)
      return withGainMap(
        pieces,
        own.map(piece => (Array.isArray(piece) ? [piece[0] + from, piece[1] + from] : piece)),
        said,
        isoIn(file),
      )
  }
  return pieces
}

const piecesOf = (jpeg: Buffer): Piece[] | null => {
  try {
    return readJpeg(jpeg, 1).pieces
  } catch (error) {
    if (error instanceof CannotFollow || error instanceof RangeError) return null
    throw error
  }
}

/** The next marker as decoders search for it: fill bytes before it count as part of it. */
const nextMarker = (file: Buffer, from: number): { begin: number; marker: number; end: number } | undefined => {
  for (let begin = file.indexOf(0xff, from); begin >= 0; begin = file.indexOf(0xff, begin)) {
    let at = begin
    while (file[at] === 0xff) at += 1
    const marker = file[at]
    if (marker === undefined) return undefined
    if (marker !== 0) return { begin: at - 1, marker, end: at + 1 }
    begin = at
  }
  return undefined
}

const isApplication = (marker: number) => (marker >= app0 && marker <= app15) || marker === comment

const isNamed = (body: Buffer, name: string) => body.toString('latin1', 0, name.length) === name

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/**
 * The first marker after the coded data, which only contains stuffed bytes and restarts; the end of the file if there is
 * none.
 */
const endOfScan = (file: Buffer, from: number): number => {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const next = file[at + 1] as number
    if (next === 0 || isRestart(next)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
  return file.length
}

/** Tells whether a segment of tables ends where its last table does. */
const tablesFit = (marker: number, body: Buffer): boolean => {
  if (marker === 0xdc || marker === 0xdd) return body.length === 2
  if (marker === 0xcc) return body.length % 2 === 0
  let at = 0
  while (at < body.length) at += marker === 0xdb ? 1 + 64 * (1 + ((body[at] ?? 0) >> 4)) : 17 + codesAt(body, at)
  return at === body.length
}

const codesAt = (body: Buffer, at: number) => body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)
