import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * How far somebody has read the log: everything up to this place of this history, nothing behind it. Places are given in
 * the order of commits; within one history a place never means two changes.
 */
export type Position = { history: string; place: number }

/** Where the log stands, and the key by which cursors prove that they were handed out over it. */
export type Head = Position & { cursorKey: Buffer }

/** `proof` is what only we can have written: without it anybody could say that they have seen what never was. */
export type Cursor = Position & { proof: string }

const radix = 36
const proofCharacters = 8

const proofOf = (key: Buffer, position: string) =>
  createHmac('sha256', key).update(position).digest('base64url').slice(0, proofCharacters)

export const cursorOf = ({ history, cursorKey }: Pick<Head, 'history' | 'cursorKey'>, place: number): string => {
  const position = `${history}.${place.toString(radix)}`
  return `${position}.${proofOf(cursorKey, position)}`
}

const form = /^([0-9a-f]{12})\.([0-9a-z]{1,11})\.([\w-]{8})$/

/** What a cursor says, or undefined when it is none of ours. */
export const readCursor = (text: string): Cursor | undefined => {
  const [whole, history = '', written = '', proof = ''] = form.exec(text) ?? []
  const place = Number.parseInt(written, radix)
  // One way to write each, so that two cursors are the same text or another position.
  if (whole !== text || !Number.isSafeInteger(place) || place.toString(radix) !== written) return undefined
  return { history, place, proof }
}

export const isGenuine = ({ history, place, proof }: Cursor, { cursorKey }: Pick<Head, 'cursorKey'>): boolean =>
  timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(cursorKey, `${history}.${place.toString(radix)}`)))
