import type { RecordedRequest } from '@afterglow/contract/examples'

/** Examples for the documents: recorded on the wire in tests, and made readable. */
export type Example = { status: number; body: unknown; request?: RecordedRequest }
/** By operation: a request, the successes by status, of which one answers it, and the refusals by code. */
export type Examples = Record<
  string,
  { request?: RecordedRequest; replies: Record<string, unknown>; refusals: Record<string, Omit<Example, 'request'>> }
>

const shownAt = 'https://party.example'
const charactersMax = 4000

/** The richest example that is not too long wins, one with a body before; a refusal is the same each time. */
export const keepExample = (kept: Examples, operation: string, code: string | undefined, example: Example): void => {
  kept[operation] ??= { replies: {}, refusals: {} }
  const { request: asked, replies, refusals } = kept[operation]
  const { request, ...reply } = example
  if (code !== undefined) {
    refusals[code] ??= reply
    return
  }
  const before = replies[reply.status]
  if (before !== undefined && worthOf(example) <= worthOf({ ...reply, body: before, ...(asked && { request: asked }) }))
    return
  replies[reply.status] = reply.body
  if (request) kept[operation].request = request
}

const worthOf = ({ body, request }: Example) => {
  const { length } = JSON.stringify(body)
  return (request?.body ? 2 * charactersMax : 0) + (length <= charactersMax ? length : -length)
}

/** Keeps the first items of a list, replaces secrets, and gives every service the same origin. */
export const presentable = (body: unknown, origin: string, itemsMax = 1): unknown => {
  if (Array.isArray(body)) return body.slice(0, itemsMax).map(each => presentable(each, origin, itemsMax))
  if (typeof body === 'string') return presentableText(body, origin)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' && secrets.has(key)
        ? 'Y29tZSBpbiwgdGhlIHBhcnR5IGhhcyBqdXN0IGJlZ3Vu'
        : presentable(value, origin, itemsMax),
    ]),
  )
}

const secrets = new Set(['token', 'provider_code', 'vapid_public_key'])

const presentableText = (text: string, origin: string) =>
  text
    .replaceAll(origin, shownAt)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, shownAt)
    .replaceAll(/([?&]s=)[\w-]+/g, '$1c2lnbmF0dXJl')
    .replaceAll(/([?&]k=)[\w-]+/g, '$1a1')
    .replaceAll(/\beyJ[\w.-]{60,}/g, 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvbGl2aWEifQ.c2lnbmF0dXJl')

/** Merges the examples of several processes. */
export const mergeExamples = (one: Examples, other: Examples): Examples => {
  const merged: Examples = structuredClone(one)
  for (const [operation, { request, replies, refusals }] of Object.entries(other)) {
    for (const [status, body] of Object.entries(replies))
      keepExample(merged, operation, undefined, { status: Number(status), body, ...(request && { request }) })
    for (const [code, example] of Object.entries(refusals)) keepExample(merged, operation, code, example)
  }
  return merged
}

/** True if a reply has the shape that its operation documents now. */
export type Fits = (operation: string, body: unknown) => boolean

/** Examples stay once chosen: new ones are taken if there were none, or an old one no longer fits. */
export const renewExamples = (older: Examples, newer: Examples, fits: Fits): Examples => {
  const renewed: Examples = { ...older }
  for (const [operation, { request, replies, refusals }] of Object.entries(newer)) {
    const before = older[operation] ?? { replies: {}, refusals: {} }
    // A request and its reply belong together.
    const stays = before.request || !request
    const fitting = Object.fromEntries(Object.entries(before.replies).filter(([, body]) => fits(operation, body)))
    const asked = stays ? before.request : request
    renewed[operation] = {
      ...(asked && { request: asked }),
      replies: stays ? { ...replies, ...fitting } : { ...fitting, ...replies },
      refusals: { ...before.refusals, ...refusals },
    }
  }
  return renewed
}
