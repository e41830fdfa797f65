import { orientationAlone, turns } from './orientation.ts'
import { demand, gather } from './pieces.ts'
import type { Structure } from './read-structure.ts'

type Chunk = { type: string; at: number; body: number; end: number }

const kept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const inFrames = new Set(['VP8 ', 'VP8L', 'ALPH'])
const hasExif = 0x08
const hasXmp = 0x04

/** A WebP to the end that its first header states. */
export const readWebp = (file: Buffer, orientation: number): Structure => {
  demand(file.length >= 20 && file.toString('latin1', 0, 4) === 'RIFF', 'no header')
  demand(file.toString('latin1', 8, 12) === 'WEBP', 'no header')
  const end = 8 + file.readUInt32LE(4)
  const chunks = chunksIn(file, 12, end)
  const [first] = chunks
  demand(first !== undefined && /^VP8[ LX]$/.test(first.type), 'no picture')
  const extended = first.type === 'VP8X'
  // Only the extended format has a place for it.
  const turned = extended && turns(orientation)
  for (const { type, body, end } of chunks)
    if (type === 'ANMF')
      demand(
        chunksIn(file, body + 16, end).every(part => inFrames.has(part.type)),
        'an unknown part of a frame',
      )

  const staying = chunks.filter(({ type }) => kept.has(type))
  const exif = turned ? chunk('EXIF', orientationAlone(orientation)) : Buffer.alloc(0)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(4 + exif.length + staying.reduce((sum, { at, end }) => sum + end - at, 0))

  const pieces = gather()
  pieces.keep(0, 4)
  pieces.put(size)
  pieces.keep(8, 12)
  for (const { type, at, body, end } of staying) {
    if (type === 'VP8X') {
      demand(end - body === 10, 'a header of another length')
      pieces.keep(at, body)
      pieces.put(Buffer.from([((file[body] as number) & ~(hasExif | hasXmp)) | (turned ? hasExif : 0)]))
      pieces.keep(body + 1, end)
    } else pieces.keep(at, end)
  }
  pieces.put(exif)
  return { end, pieces: pieces.all() }
}

const chunksIn = (file: Buffer, from: number, limit: number): Chunk[] => {
  const chunks: Chunk[] = []
  demand(limit <= file.length && from <= limit, 'longer than the file')
  for (let at = from; at < limit; ) {
    demand(at + 8 <= limit, 'cut')
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    demand(end <= limit, 'a chunk longer than the file')
    chunks.push({ type: file.toString('latin1', at, at + 4), at, body: at + 8, end })
    at = end
  }
  return chunks
}

const chunk = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
