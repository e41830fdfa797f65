import { createHash } from 'node:crypto'

/** What a push says. `link` is opened by a tap; a later push of the same `tag` replaces what is shown. */
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
  /** Ids of what was read elsewhere or taken back: what is still shown of it goes away. */
  read?: readonly string[]
  /** Paths of pictures, signed, the best first. They end within hours and with the access of whoever is told. */
  images?: readonly string[]
}

/** What an app is told without showing anything: what is read goes away, and the badge counts what is left. */
export type Clearing = { unread: number; read: readonly string[] }

/** Every service takes 4 KiB; what they and encryption put around it must fit as well. */
export const wireBytesMax = 3 * 1024 - 1

/** How long a service keeps a push for a device that is off. */
export const keptSeconds = 3 * 24 * 60 * 60

/** The form browsers get. Clients read exactly these names. */
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

/** The same for who has no page of ours: none without an address that phones may fetch. */
export const imagesAt = (origin: string | undefined, { images = [] }: PushMessage) =>
  origin?.startsWith('https:') ? images.map(path => origin + path) : []

/**
 * JSON of what `form` makes of the message, at most wireBytesMax bytes of UTF-8. What is too long loses its pictures, then
 * the end of its body, then of its title beyond a quarter of the room, and last its link as a whole, for half a link leads
 * astray. Null when id, kind and tag alone are too long.
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

/** What services may know of a tag to replace a waiting push by the next: 32 characters that each of them takes. */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

// Half a surrogate pair is no UTF-8, and a service that parses strictly would refuse all of it. What lies behind the
// last unit that could fit is dropped first: a long text is looked at once a recipient.
const soundText = (text: string) => text.slice(0, wireBytesMax + 1).toWellFormed()

/** Below this nothing readable would be left. */
const textRoomMin = 200
const ellipsis = '…'
const ellipsisBytes = Buffer.byteLength(ellipsis)
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The text in at most `room` bytes of JSON, ended by an ellipsis behind a whole grapheme if it was cut. */
export function shorten(text: string, room: number): string {
  if (jsonBytes(text, room) <= room) return text
  if (room < ellipsisBytes) return ''
  const end = unitsWithin(text, room - ellipsisBytes)
  // A few units more let the segmenter see whether a grapheme goes on behind the cut, however long the text is.
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
