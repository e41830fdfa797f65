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
    return identifierIn(note.subarray(begin, begin + view.getUint32(at + 4)))
  }
  return undefined
}

const topBoxesMax = 64
const moovBytesMax = 8 * 1024 * 1024
const key = 'com.apple.quicktime.content.identifier'

export const identifierOfMoment = async (file: Blob): Promise<string | undefined> => {
  for (let at = 0, left = topBoxesMax; at + 16 <= file.size && left > 0; left -= 1) {
    const head = viewOf(await read(file, at, 16))
    const short = head.getUint32(0)
    const bytes = short === 1 ? Number(head.getBigUint64(8)) : short || file.size - at
    if (bytes < 8) return undefined
    if (head.getUint32(4) === 0x6d6f6f76 /* moov */) {
      if (bytes > moovBytesMax) return undefined
      const moov = await read(file, at + 8, bytes - 8)
      return quietly(() => identifierInMoov(moov))
    }
    at += bytes
  }
  return undefined
}

const identifierInMoov = (moov: Uint8Array) => {
  const told = boxNamed(moov, 'udta')
  const found = boxNamed(moov, 'meta') ?? (told && boxNamed(told, 'meta'))
  // As in MP4, a version comes first.
  const meta = found && textOf(found.subarray(4, 8)) === 'hdlr' ? found : found?.subarray(4)
  const names = meta && boxNamed(meta, 'keys')
  const values = meta && boxNamed(meta, 'ilst')
  if (!names || !values) return undefined
  const wanted = [...boxes(names.subarray(8))].findIndex(({ body }) => textOf(body) === key) + 1
  const value = [...boxes(values)].find(({ type }) => wanted > 0 && type === wanted)
  const data = value && boxNamed(value.body, 'data')
  return data && identifierIn(data.subarray(8))
}

function* boxes(all: Uint8Array) {
  const view = viewOf(all)
  for (let at = 0; at + 8 <= all.length; ) {
    const bytes = view.getUint32(at)
    if (bytes < 8) return
    yield {
      type: view.getUint32(at + 4),
      name: textOf(all.subarray(at + 4, at + 8)),
      body: all.subarray(at + 8, at + bytes),
    }
    at += bytes
  }
}

const boxNamed = (all: Uint8Array, name: string) => [...boxes(all)].find(box => box.name === name)?.body

const identifierIn = (bytes: Uint8Array) => /^[0-9A-F-]{8,64}(?=\0|$)/i.exec(textOf(bytes))?.[0].toUpperCase()

const read = async (file: Blob, from: number, bytes: number) =>
  new Uint8Array(await file.slice(from, from + bytes).arrayBuffer())
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 100))

const indexOf = (bytes: Uint8Array, mark: string) => {
  const first = mark.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (textOf(bytes.subarray(at, at + mark.length)) === mark) return at
  return -1
}

const quietly = <Found>(find: () => Found): Found | undefined => {
  try {
    return find()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
