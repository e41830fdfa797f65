import { isFilm } from './boxes.ts'
import type { Stretch } from './pieces.ts'

/**
 * What a JPEG declares about what follows its image: further pictures (MPF: a gain map of Ultra HDR, a thumbnail) and
 * the video of a motion photo (XMP: the number of bytes at the file's end). What is declared, and is what it is
 * declared to be, belongs to the original; nothing else after the image does.
 */

const tailBytesMax = 16 * 1024 * 1024
const xmpName = 'http://ns.adobe.com/xap/1.0/\0'

export const declaredTail = (file: Buffer) => {
  const ends: number[] = []
  let film: Stretch | null = null
  return {
    /** A segment that is not part of the image; `at` is where its body begins. */
    hear(marker: number, body: Buffer, at: number) {
      if (marker === 0xe2 && body.toString('latin1', 0, 4) === 'MPF\0') ends.push(...endsOfPictures(file, at + 4))
      if (marker === 0xe1 && body.toString('latin1', 0, xmpName.length) === xmpName)
        film ??= filmOf(file, body.toString('latin1', xmpName.length))
    },
    /** Where the image ends, or what it declares after itself. */
    end: (imageEnd: number) =>
      Math.max(imageEnd, ...[...ends, ...(film ? [film[1]] : [])].filter(end => end - imageEnd <= tailBytesMax)),
    /** The video of a motion photo. */
    film: (imageEnd: number) => (film && film[0] >= imageEnd && film[1] - imageEnd <= tailBytesMax ? film : null),
  }
}

const entriesTag = 0xb002
const entryBytes = 16
const picturesMax = 16

/** `base` is where the index begins, from which its offsets count. */
const endsOfPictures = (file: Buffer, base: number): number[] => {
  const little = file.toString('latin1', base, base + 2) === 'II'
  const u16 = (at: number) => read(file, at, 2, little)
  const u32 = (at: number) => read(file, at, 4, little)
  const index = base + u32(base + 4)
  const ends = []
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
        ends.push(end)
    }
  }
  return ends
}

const read = (file: Buffer, at: number, bytes: 2 | 4, little: boolean): number => {
  if (at < 0 || at + bytes > file.length) return 0
  return little ? file.readUIntLE(at, bytes) : file.readUIntBE(at, bytes)
}

const lengths = [
  /MicroVideoOffset(?:="|>)(\d{1,9})/,
  /Semantic="MotionPhoto"[^>]{0,400}?Length="(\d{1,9})"/,
  /Length="(\d{1,9})"[^>]{0,400}?Semantic="MotionPhoto"/,
]

const filmOf = (file: Buffer, xmp: string): Stretch | null => {
  for (const length of lengths) {
    const bytes = Number(length.exec(xmp)?.[1] ?? 0)
    if (bytes > 0 && bytes < file.length && isFilm(file, file.length - bytes)) return [file.length - bytes, file.length]
  }
  return null
}
