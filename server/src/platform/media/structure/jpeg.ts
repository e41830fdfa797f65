import { declaredTail } from './jpeg-tail.ts'
import { orientationAlone, turns } from './orientation.ts'
import { demand, gather } from './pieces.ts'
import type { Structure } from './read-structure.ts'

const [soi, eoi, sos, app0, app14, app15, comment] = [0xd8, 0xd9, 0xda, 0xe0, 0xee, 0xef, 0xfe] as const
/** Segments for arithmetic and Huffman tables, quantization, restarts, lines; frames are below. */
const tables = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8 && !tables.has(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * A JPEG from its first marker to the end of its image. What is kept: frames, tables, scans, ICC, and JFIF and Adobe
 * segments in their proper length, so that nothing hides after them. Hierarchical ones are not supported.
 */
export const readJpeg = (file: Buffer, orientation: number): Structure => {
  const kept = gather()
  const tail = declaredTail(file)
  demand(file[0] === 0xff && file[1] === soi, 'no start')
  kept.keep(0, 2)
  let turned = !turns(orientation)
  for (let at = 2; ; ) {
    demand(file[at] === 0xff, 'no marker')
    while (file[at] === 0xff) at += 1
    const marker = file[at] ?? 0
    const begin = at - 1
    at += 1
    if (marker === eoi) {
      kept.keep(begin, at)
      return { end: tail.end(at), pieces: kept.all(), film: tail.film(at) }
    }
    demand(marker >= 0xc0 && marker !== soi && !isRestart(marker), 'a marker out of place')
    demand(at + 2 <= file.length, 'cut')
    const length = file.readUInt16BE(at)
    const body = file.subarray(at + 2, at + length)
    at += length
    demand(length >= 2 && at <= file.length, 'a segment longer than the file')

    if (!turned && marker !== app0) {
      kept.put(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), orientationAlone(orientation)])))
      turned = true
    }
    if (marker === sos) {
      demand(body.length === 4 + 2 * (body[0] ?? 0), 'a scan of another length')
      at = endOfScan(file, at)
      kept.keep(begin, at)
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
      demand((marker >= app0 && marker <= app15) || marker === comment, 'an unknown segment')
      tail.hear(marker, body, at - body.length)
    }
  }
}

const isNamed = (body: Buffer, name: string) => body.toString('latin1', 0, name.length) === name

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** The first marker after the coded data, which only contains stuffed bytes and restarts. */
const endOfScan = (file: Buffer, from: number): number => {
  for (let at = file.indexOf(0xff, from); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const next = file[at + 1] as number
    if (next === 0 || isRestart(next)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
  demand(false, 'a scan without an end')
  return 0
}

/** Whether a segment of tables ends where its last table does. */
const tablesFit = (marker: number, body: Buffer): boolean => {
  if (marker === 0xdc || marker === 0xdd) return body.length === 2
  if (marker === 0xcc) return body.length % 2 === 0
  let at = 0
  while (at < body.length) at += marker === 0xdb ? 1 + 64 * (1 + ((body[at] ?? 0) >> 4)) : 17 + codesAt(body, at)
  return at === body.length
}

const codesAt = (body: Buffer, at: number) => body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0)
