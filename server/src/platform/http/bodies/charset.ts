import { Unreadable } from '../refusals.ts'

const named = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i

/** The charset that a media type names, or undefined. */
export const charsetOf = (mediaType: string | undefined): string | undefined =>
  mediaType === undefined ? undefined : named.exec(mediaType)?.[1]

/** Text in whichever charset the client named; without one, UTF-8. Throws Unreadable, never guesses. */
export const decodeText = (bytes: Uint8Array, charset = 'utf-8'): string => {
  const label = charset.toLowerCase()
  const decoder = decoderOf(label === 'utf-16' && startsWithBigEndianMark(bytes) ? 'utf-16be' : label)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Unreadable(`The body is not valid ${decoder.encoding.toUpperCase()}.`)
  }
}

const startsWithBigEndianMark = (bytes: Uint8Array) => bytes[0] === 0xfe && bytes[1] === 0xff

const decoders = new Map<string, TextDecoder>()
/** A client chooses the label: only a few are kept. */
const decodersKept = 50

const decoderOf = (label: string) => {
  let decoder = decoders.get(label)
  if (decoder) return decoder
  try {
    decoder = new TextDecoder(label, { fatal: true })
  } catch {
    throw new Unreadable(`The charset ${JSON.stringify(label.slice(0, 40))} of the body is not supported.`)
  }
  if (decoders.size < decodersKept) decoders.set(label, decoder)
  return decoder
}
