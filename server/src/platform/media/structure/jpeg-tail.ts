import { filmWithin } from './boxes.ts'
import type { Stretch } from './pieces.ts'

/**
 * Reads the data after a JPEG's image that belongs to it: further pictures that it declares (MPF: a gain map of Ultra
 * HDR, a thumbnail), and the video of a motion photo. Cameras declare that in many ways, or not at all, with lengths
 * that count blocks of their own; so it is recognised by its content. Samsung's index of such blocks belongs to the
 * original as well; nothing else after the image does.
 */

const tailBytesMax = 16 * 1024 * 1024
/** `SEFH`, entries, `SEFT`. */
const indexBytesMax = 64 * 1024

export const declaredTail = (file: Buffer) => {
  const pictures: Stretch[] = []
  const filmAfter = (imageEnd: number) => {
    const found = filmWithin(file, imageEnd)
    return found && found[1] - imageEnd <= tailBytesMax ? found : null
  }
  return {
    /** A segment that is not part of the image; `at` is where its body begins. */
    hear(marker: number, body: Buffer, at: number) {
      if (marker === 0xe2 && body.toString('latin1', 0, 4) === 'MPF\0') pictures.push(...picturesIn(file, at + 4))
    },
    /** Further pictures, such as a gain map. */
    pictures: (imageEnd: number) => pictures.filter(([from, to]) => from >= imageEnd && to - imageEnd <= tailBytesMax),
    /** The end of the image, or of the data that belongs to it. */
    end(imageEnd: number) {
      const ends = pictures.map(([, end]) => end)
      const declared = Math.max(imageEnd, ...ends.filter(end => end - imageEnd <= tailBytesMax))
      const film = filmAfter(imageEnd)
      if (!film) return declared
      const last = Math.max(declared, film[1])
      return isIndex(file.subarray(last)) ? file.length : last
    },
    /** The video of a motion photo. */
    film: filmAfter,
  }
}

const isIndex = (rest: Buffer) =>
  rest.length <= indexBytesMax &&
  rest.toString('latin1', 0, 4) === 'SEFH' &&
  rest.toString('latin1', rest.length - 4) === 'SEFT'

const entriesTag = 0xb002
const entryBytes = 16
const picturesMax = 16

/** `base` is where the index begins, from which its offsets count. */
const picturesIn = (file: Buffer, base: number): Stretch[] => {
  const little = file.toString('latin1', base, base + 2) === 'II'
  const u16 = (at: number) => read(file, at, 2, little)
  const u32 = (at: number) => read(file, at, 4, little)
  const index = base + u32(base + 4)
  const found: Stretch[] = []
  for (let at = index + 2, n = Math.min(u16(index), picturesMax); n > 0; at += 12, n -= 1) {
    if (u16(at) !== entriesTag) continue
    const entries = base + u32(at + 8)
    const count = Math.min(Math.floor(u32(at + 4) / entryBytes), picturesMax)
    // The first is the image itself.
    for (let entry = entries + entryBytes; entry < entries + count * entryBytes; entry += entryBytes) {
      const begin = base + u32(entry + 8)
      const end = begin + u32(entry + 4)
      if (
        end <= file.length &&
        u16(begin) === (little ? 0xd8ff : 0xffd8) &&
        u16(end - 2) === (little ? 0xd9ff : 0xffd9)
      )
        found.push([begin, end])
    }
  }
  return found
}

const read = (file: Buffer, at: number, bytes: 2 | 4, little: boolean): number => {
  if (at < 0 || at + bytes > file.length) return 0
  return little ? file.readUIntLE(at, bytes) : file.readUIntBE(at, bytes)
}
