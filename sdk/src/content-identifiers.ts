import { indexOf, quietly, read, textOf, viewOf } from './bytes.ts'
import { appleMetadata, moovOf } from './video-metadata.ts'

/*
 * A Live Photo is a picture and a video to which the camera writes the same identifier: in the picture's maker note,
 * and in the video's metadata. Renaming the files keeps both. Nothing here is trusted beyond its next byte: a file that
 * deviates from Apple's format has no identifier.
 */

const noteMark = 'Apple iOS\0'
/** Such a note has about two thousand bytes. */
const noteBytesMax = 16 * 1024
const windowBytes = 256 * 1024
/** A HEIC's note may come after its pixels. */
const pictureBytesMax = 16 * 1024 * 1024
const contentIdentifier = 0x0011

export const identifierOfPicture = async (file: Blob): Promise<string | undefined> => {
  for (let from = 0; from < Math.min(file.size, pictureBytesMax); from += windowBytes) {
    const bytes = await read(file, from, windowBytes + noteBytesMax)
    const at = indexOf(bytes, noteMark)
    if (at >= 0) return quietly(() => identifierInNote(bytes.subarray(at)))
    // A JPEG's comes before its pixels.
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return undefined
  }
  return undefined
}

/** A directory as in EXIF, whose offsets count from the note's own beginning. */
const identifierInNote = (note: Uint8Array) => {
  const view = viewOf(note)
  if (textOf(note.subarray(12, 14)) !== 'MM') return undefined
  for (let at = 16, left = view.getUint16(14); left > 0; at += 12, left -= 1) {
    if (view.getUint16(at) !== contentIdentifier) continue
    const begin = view.getUint32(at + 8)
    return identifierIn(textOf(note.subarray(begin, begin + view.getUint32(at + 4))))
  }
  return undefined
}

export const identifierOfMoment = async (file: Blob): Promise<string | undefined> => {
  const moov = await moovOf(file)
  return moov && quietly(() => identifierIn(appleMetadata(moov).get('com.apple.quicktime.content.identifier') ?? ''))
}

const identifierIn = (text: string) => /^[0-9A-F-]{8,64}(?=\0|$)/i.exec(text)?.[0].toUpperCase()
