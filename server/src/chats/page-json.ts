import type { Envelope } from '../platform/http/pages.ts'

/*
 * A page put together from bytes: joining pieces of UTF-8 costs a tenth of joining text that has to become UTF-8 in the
 * end (12 µs for a page of 50 messages). Every item starts with a comma, so that any of them can be the first.
 */

/** An object of a list as bytes, to be followed by more of its fields. */
export const startOfItem = (fields: object): Buffer => Buffer.from(`,${JSON.stringify(fields).slice(0, -1)}`)
export const wholeItem = (fields: object): Buffer => Buffer.from(`,${JSON.stringify(fields)}`)
export const moreOfItem = (name: string, value: unknown): Buffer => Buffer.from(`,"${name}":${JSON.stringify(value)}`)

const listStart = (name: string) => Buffer.from(`,"${name}":[`)
const listEnd = Buffer.from(']')
export const itemEnd = Buffer.from('}')
const seensStart = listStart('seens')

/** Adds a message's pieces: itself, its attachments, who has seen it, and its extra when there is some. */
export const addMessage = (
  pieces: Buffer[],
  {
    message,
    attachments,
    seens,
    extra,
  }: Record<'message' | 'attachments', Buffer> & { seens: Buffer[]; extra?: Buffer },
) => {
  pieces.push(message, attachments, seensStart)
  for (const [at, seen] of seens.entries()) pieces.push(at === 0 ? seen.subarray(1) : seen)
  pieces.push(listEnd)
  if (extra) pieces.push(extra)
  pieces.push(itemEnd)
}

const emptyData = '"data":[]'

/** The list envelope around the pieces of its items. Before `data` stands nothing but a number. */
export const pageAround = (envelope: Envelope<never>, [first, ...rest]: readonly Buffer[]): Buffer => {
  const json = JSON.stringify({ ...envelope, data: [] })
  if (!first) return Buffer.from(json)
  const inside = json.indexOf(emptyData) + emptyData.length - 1
  return Buffer.concat([
    Buffer.from(json.slice(0, inside)),
    first.subarray(1),
    ...rest,
    Buffer.from(json.slice(inside)),
  ])
}
