import { setTimeout as sleep } from 'node:timers/promises'

export type Answer = { status: number; type: string; headers: Headers; text: string; json: unknown; asked: string }
export type Asking = {
  query?: Record<string, string | number>
  json?: unknown
  /** A raw body. */
  text?: string
  form?: Record<string, string | number | Blob | readonly Blob[]>
  headers?: Record<string, string>
  /** The caller expects a 429. Any other 429 is waited out: a limit is the server's right, not a fault. */
  tellsLimit?: true
}
export type Call = (method: string, path: string, asking?: Asking) => Promise<Answer>

/** Nothing answers, or not in time. */
export class Unreachable extends Error {}

const secondsMax = 30
/** No documented limit exceeds a minute. */
const waitSecondsMax = 65
const triesMost = 3

const secondsToWait = (reply: Response): number => {
  const told = Number(reply.headers.get('retry-after') ?? Number.NaN)
  return Math.min(waitSecondsMax, Number.isFinite(told) ? Math.max(1, told) : waitSecondsMax)
}

export const callerOf =
  (baseUrl: string, send: typeof fetch, token?: string): Call =>
  async (method, path, { query = {}, json, text: raw, form, headers = {}, tellsLimit } = {}) => {
    const url = new URL(path, `${baseUrl.replace(/\/+$/, '')}/`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const body = form ? formOf(form) : (raw ?? (json === undefined ? undefined : JSON.stringify(json)))
    const asked = `${method} ${url.pathname}${url.search}`
    const sent = () =>
      send(url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(secondsMax * 1000),
        headers: {
          Accept: 'application/json',
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
    try {
      let reply = await sent()
      for (let tries = 1; reply.status === 429 && !tellsLimit && tries < triesMost; tries++) {
        await reply.body?.cancel()
        await sleep(secondsToWait(reply) * 1000)
        reply = await sent()
      }
      const text = await reply.text()
      return {
        status: reply.status,
        type: reply.headers.get('content-type') ?? '',
        headers: reply.headers,
        text,
        json: parsed(text),
        asked,
      }
    } catch (error) {
      throw new Unreachable(`${asked}: ${(error as Error).cause ?? (error as Error).message}`)
    }
  }

const formOf = (fields: NonNullable<Asking['form']>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const each of value) form.append(`${name}[]`, each, 'picture.png')
    else if (value instanceof Blob) form.append(name, value, 'picture.png')
    else form.append(name, String(value))
  }
  return form
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
