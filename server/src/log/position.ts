import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * How far somebody has read the log: everything up to this position of this history, nothing after it. Positions follow
 * commit order; within one history a position never refers to two changes.
 */
export type Position = { history: string; place: number }

/** The end of the log, and the key that proves a cursor was issued for it. */
export type Head = Position & { cursorKey: Buffer }

/** `proof` can only come from us: without it, anybody could claim to have seen something that never existed. */
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

/** Parses a cursor; undefined if it is not one of ours. */
export const readCursor = (text: string): Cursor | undefined => {
  const [whole, history = '', written = '', proof = ''] = form.exec(text) ?? []
  const place = Number.parseInt(written, radix)
  // There is only one way to write each, so two cursors are either the same text or different positions.
  if (whole !== text || !Number.isSafeInteger(place) || place.toString(radix) !== written) return undefined
  return { history, place, proof }
}

export const isGenuine = ({ history, place, proof }: Cursor, { cursorKey }: Pick<Head, 'cursorKey'>): boolean =>
  timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(cursorKey, `${history}.${place.toString(radix)}`)))
