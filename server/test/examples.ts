/** Examples of replies for the documents: recorded on the wire in tests, and made readable. */
export type Example = { status: number; body: unknown }
/** By operation: its successes by status, and its refusals by code. */
export type Examples = Record<string, { replies: Record<string, unknown>; refusals: Record<string, Example> }>

const shownAt = 'https://party.example'
const charactersMax = 4000

/** The richest example that is not too long wins; a refusal is the same each time. */
export const keepExample = (kept: Examples, operation: string, code: string | undefined, example: Example): void => {
  kept[operation] ??= { replies: {}, refusals: {} }
  const { replies, refusals } = kept[operation]
  if (code !== undefined) {
    refusals[code] ??= example
    return
  }
  const length = lengthOf(example.body)
  const before = replies[example.status]
  if (before === undefined || worthOf(length) > worthOf(lengthOf(before))) replies[example.status] = example.body
}

const lengthOf = (body: unknown) => JSON.stringify(body).length
const worthOf = (length: number) => (length <= charactersMax ? length : -length)

/** Keeps one item of a list, replaces secrets, and gives every service the same origin. */
export const presentable = (body: unknown, origin: string): unknown => {
  if (Array.isArray(body)) return body.slice(0, 1).map(each => presentable(each, origin))
  if (typeof body === 'string') return presentableText(body, origin)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' && secrets.has(key)
        ? 'Y29tZSBpbiwgdGhlIHBhcnR5IGhhcyBqdXN0IGJlZ3Vu'
        : presentable(value, origin),
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

/** Merges the examples of several processes. */
export const mergeExamples = (one: Examples, other: Examples): Examples => {
  const merged: Examples = structuredClone(one)
  for (const [operation, { replies, refusals }] of Object.entries(other)) {
    for (const [status, body] of Object.entries(replies))
      keepExample(merged, operation, undefined, { status: Number(status), body })
    for (const [code, example] of Object.entries(refusals)) keepExample(merged, operation, code, example)
  }
  return merged
}

/** True if a reply has the shape that its operation documents now. */
export type Fits = (operation: string, body: unknown) => boolean

/** Examples stay once chosen: a new one is only taken if there was none, or the old one no longer fits. */
export const renewExamples = (older: Examples, newer: Examples, fits: Fits): Examples => {
  const renewed: Examples = { ...older }
  for (const [operation, { replies, refusals }] of Object.entries(newer)) {
    const before = older[operation] ?? { replies: {}, refusals: {} }
    const fitting = Object.fromEntries(Object.entries(before.replies).filter(([, body]) => fits(operation, body)))
    renewed[operation] = {
      replies: { ...replies, ...fitting },
      refusals: { ...before.refusals, ...refusals },
    }
  }
  return renewed
}
