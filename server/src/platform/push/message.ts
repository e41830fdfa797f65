import { createHash } from 'node:crypto'

/** The content of a push. A tap opens `link`; a later push with the same `tag` replaces what is shown. */
export type PushMessage = {
  id: string
  kind: string
  title: string
  body: string
  link: string
  tag: string
  unread?: number
  /** It is shown without a sound. */
  silent?: boolean
  /** IDs of notifications that were read elsewhere or withdrawn: any that are still shown are removed. */
  read?: readonly string[]
  /** Signed paths of pictures, best first. They expire within hours and with the recipient's access. */
  images?: readonly string[]
}

/** A push that shows nothing: the app removes read notifications and updates the badge. */
export type Clearing = { unread: number; read: readonly string[] }

/** Every service accepts 4 KiB; what it and encryption add must fit as well. */
export const wireBytesMax = 3 * 1024 - 1

/** How long a service keeps a push for a device that is off. */
export const keptSeconds = 3 * 24 * 60 * 60

/** The form browsers receive. Clients read exactly these names. */
export const webForm = ({ id, kind, title, body, link, tag, unread, silent, read, images }: PushMessage) =>
  ({
    id,
    kind,
    title,
    body,
    link,
    tag,
    unread,
    ...(silent && { silent }),
    ...(read?.length && { read }),
    ...(images?.length && { images }),
  }) as PushMessage

/** The same for recipients without a page of ours: no pictures without an address from which phones may fetch. */
export const imagesAt = (origin: string | undefined, { images = [] }: PushMessage) =>
  origin?.startsWith('https:') ? images.map(path => origin + path) : []

/**
 * The message as JSON in the given `form`, at most wireBytesMax bytes of UTF-8. A message that is too long loses its
 * pictures, then the end of its body, then of its title beyond a quarter of the space, and finally its whole link,
 * because half a link leads astray. Null if ID, kind and tag alone are too long.
 */
export function fit(message: PushMessage, form: (message: PushMessage) => object): string | null {
  const sound = { ...message, title: soundText(message.title), body: soundText(message.body) }
  const written = (changed: Partial<PushMessage>) => JSON.stringify(form({ ...sound, ...changed }))
  const whole = written({})
  if (Buffer.byteLength(whole) <= wireBytesMax) return whole
  if (message.images?.length) return fit({ ...message, images: [] }, form)

  for (const link of [sound.link, '']) {
    const room = wireBytesMax - Buffer.byteLength(written({ title: '', body: '', link }))
    if (room < textRoomMin) continue
    const title = shorten(sound.title, Math.max(Math.floor(room / 4), room - jsonBytes(sound.body, room)))
    return written({ title, body: shorten(sound.body, room - jsonBytes(title)), link })
  }
  return null
}

/**
 * The part of a tag that services may know, for replacing a waiting push with the next: 32 characters that all of them
 * accept.
 */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

// Half a surrogate pair is not UTF-8, and a service that parses strictly would reject all of it. Everything after the
// last unit that could fit is dropped first: a long text is processed once per recipient.
const soundText = (text: string) => text.slice(0, wireBytesMax + 1).toWellFormed()

/** Below this, nothing readable would remain. */
const textRoomMin = 200
const ellipsis = '…'
const ellipsisBytes = Buffer.byteLength(ellipsis)
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The text in at most `room` bytes of JSON, ended by an ellipsis after a whole grapheme if it was cut. */
export function shorten(text: string, room: number): string {
  if (jsonBytes(text, room) <= room) return text
  if (room < ellipsisBytes) return ''
  const end = unitsWithin(text, room - ellipsisBytes)
  // A few more units let the segmenter see whether a grapheme continues after the cut, however long the text is.
  const border = graphemes.segment(text.slice(0, end + 2)).containing(end)?.index ?? end
  return text.slice(0, border).trimEnd() + ellipsis
}

/** Bytes of a text inside a JSON string; counting stops once past `enough`. */
export function jsonBytes(text: string, enough = Number.POSITIVE_INFINITY): number {
  let bytes = 0
  for (let at = 0; at < text.length && bytes <= enough; at += 1) bytes += unitBytes(text.charCodeAt(at))
  return bytes
}

function unitsWithin(text: string, room: number): number {
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    bytes += unitBytes(text.charCodeAt(at))
    if (bytes > room) return at
  }
  return text.length
}

const bytesOfAscii = Uint8Array.from(
  { length: 0x80 },
  (_, unit) => JSON.stringify(String.fromCharCode(unit)).length - 2,
)

function unitBytes(unit: number): number {
  if (unit < 0x80) return bytesOfAscii[unit] ?? 1
  // Each half of a surrogate pair is two of its four bytes.
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
}
