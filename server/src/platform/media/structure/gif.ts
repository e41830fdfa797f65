import { demand, gather } from './pieces.ts'
import type { Structure } from './read-structure.ts'

const [image, extension, trailer] = [0x2c, 0x21, 0x3b]
const [control, application, plainText] = [0xf9, 0xff, 0x01]
/** Extensions that say how often an animation plays, and their sizes in bytes. */
const repeats = new Map([
  ['NETSCAPE2.0', [3, 5]],
  ['ANIMEXTS1.0', [3, 5]],
])

/** A GIF to its trailer. Captions drawn by the player are not supported: nobody draws them, and they contain text. */
export const readGif = (file: Buffer): Structure => {
  const pieces = gather()
  demand(/^GIF8[79]a$/.test(file.toString('latin1', 0, 6)) && file.length > 13, 'no header')
  let at = 13 + tableBytes(file[10] as number)
  pieces.keep(0, at)
  let words = false
  let images = 0
  for (;;) {
    const begin = at
    const kind = file[at]
    if (kind === undefined && images > 0) {
      // Its trailer is missing, which decoders do not need.
      pieces.put(Buffer.from([trailer]))
      return { end: file.length, pieces: words ? null : pieces.all() }
    }
    if (kind === trailer) {
      pieces.keep(at, at + 1)
      return { end: at + 1, pieces: words ? null : pieces.all() }
    }
    if (kind === image) {
      demand(at + 11 <= file.length, 'cut')
      at = endOfBlocks(file, at + 11 + tableBytes(file[at + 9] as number))
      pieces.keep(begin, at)
      images += 1
    } else {
      demand(kind === extension, 'no block')
      const label = file[at + 1]
      at = endOfBlocks(file, at + 2)
      words ||= label === plainText
      if (label === control) {
        demand(at - begin === 8, 'a control of another length')
        pieces.keep(begin, at)
      } else if (label === application && isRepeat(file.subarray(begin, at))) pieces.keep(begin, at)
    }
  }
}

const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const endOfBlocks = (file: Buffer, from: number): number => {
  let at = from
  for (;;) {
    const length = file[at]
    demand(length !== undefined, 'cut')
    at += 1 + length
    if (length === 0) return at
  }
}

const isRepeat = (block: Buffer) =>
  block[2] === 11 &&
  (repeats.get(block.toString('latin1', 3, 14)) ?? []).includes(block[14] as number) &&
  block.length === 16 + (block[14] as number)
