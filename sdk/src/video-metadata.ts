import { read, textOf, viewOf } from './bytes.ts'

/* Reads the index of a MOV or MP4, without its pictures. */

const topBoxesMax = 64
const moovBytesMax = 8 * 1024 * 1024

export const moovOf = async (file: Blob): Promise<Uint8Array | undefined> => {
  for (let at = 0, left = topBoxesMax; at + 16 <= file.size && left > 0; left -= 1) {
    const head = viewOf(await read(file, at, 16))
    const short = head.getUint32(0)
    const bytes = short === 1 ? Number(head.getBigUint64(8)) : short || file.size - at
    if (bytes < 8) return undefined
    if (head.getUint32(4) === 0x6d6f6f76 /* moov */)
      return bytes > moovBytesMax ? undefined : await read(file, at + 8, bytes - 8)
    at += bytes
  }
  return undefined
}

/** Apple's metadata by their names. */
export const appleMetadata = (moov: Uint8Array): Map<string, string> => {
  const told = boxNamed(moov, 'udta')
  const found = boxNamed(moov, 'meta') ?? (told && boxNamed(told, 'meta'))
  // As in MP4, a version comes first.
  const meta = found && textOf(found.subarray(4, 8)) === 'hdlr' ? found : found?.subarray(4)
  const names = [...boxes((meta && boxNamed(meta, 'keys'))?.subarray(8))].map(({ body }) => textOf(body))
  return new Map(
    [...boxes(meta && boxNamed(meta, 'ilst'))].flatMap(({ type, body }) => {
      const [name, data] = [names[type - 1], boxNamed(body, 'data')]
      return name && data ? [[name, textOf(data.subarray(8)).replace(/\0.*$/s, '')]] : []
    }),
  )
}

/** In seconds; Infinity if it is not stated. */
export const lengthOf = (moov: Uint8Array): number => {
  const head = boxNamed(moov, 'mvhd')
  if (!head) return Number.POSITIVE_INFINITY
  const view = viewOf(head)
  const [scale, length] =
    head[0] === 1 ? [view.getUint32(20), Number(view.getBigUint64(24))] : [view.getUint32(12), view.getUint32(16)]
  return scale > 0 ? length / scale : Number.POSITIVE_INFINITY
}

export const hasSound = (moov: Uint8Array): boolean =>
  [...boxes(moov)].some(({ name, body }) => {
    const media = name === 'trak' ? boxNamed(body, 'mdia') : undefined
    const handler = media && boxNamed(media, 'hdlr')
    return handler !== undefined && textOf(handler.subarray(8, 12)) === 'soun'
  })

function* boxes(all: Uint8Array = new Uint8Array()) {
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
