/** One request, and all of its answer. */
export type Answer = { status: number; type: string; headers: Headers; text: string; json: unknown; asked: string }
export type Asking = {
  query?: Record<string, string | number>
  json?: unknown
  /** A body as it stands. */
  text?: string
  form?: Record<string, string | number | Blob | readonly Blob[]>
  headers?: Record<string, string>
}
export type Call = (method: string, path: string, asking?: Asking) => Promise<Answer>

/** Nobody answers in time, or at all. */
export class Unreachable extends Error {}

const secondsMax = 30

export const callerOf =
  (baseUrl: string, send: typeof fetch, token?: string): Call =>
  async (method, path, { query = {}, json, text: raw, form, headers = {} } = {}) => {
    const url = new URL(path, `${baseUrl.replace(/\/+$/, '')}/`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const body = form ? formOf(form) : (raw ?? (json === undefined ? undefined : JSON.stringify(json)))
    const asked = `${method} ${url.pathname}${url.search}`
    try {
      const reply = await send(url, {
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
