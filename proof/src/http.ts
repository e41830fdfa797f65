import { Agent, request } from 'node:http'

/** `body` is parsed if the reply is JSON. */
export type Reply = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Json
  bytes: Buffer
}
// biome-ignore lint/suspicious/noExplicitAny: the proof has no types of the replies; the checks read them.
export type Json = any

export type FilePart = { field: string; name: string; type: string; bytes: Buffer }
export type Asking = {
  token?: string | undefined
  /** Idempotency-Key. */
  key?: string | undefined
  json?: unknown
  form?: Record<string, string | number>
  files?: readonly FilePart[]
  headers?: Record<string, string>
  raw?: Buffer
  timeoutMs?: number
  signal?: AbortSignal
}
export type Ask = (method: string, path: string, asking?: Asking) => Promise<Reply>

const boundary = 'the-boundary-of-the-proof'

const formOf = (form: Record<string, string | number>, files: readonly FilePart[]): Buffer => {
  const parts: Buffer[] = []
  const add = (head: string, bytes: Buffer) =>
    parts.push(
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    )
  for (const [field, value] of Object.entries(form)) add(`name="${field}"`, Buffer.from(String(value)))
  for (const { field, name, type, bytes } of files)
    add(`name="${field}"; filename="${name}"\r\ncontent-type: ${type}`, bytes)
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

const bodyOf = ({ json, form, files, raw }: Asking): [body: Buffer | undefined, type: string | undefined] => {
  if (raw) return [raw, undefined]
  if (form || files) return [formOf(form ?? {}, files ?? []), `multipart/form-data; boundary=${boundary}`]
  if (json !== undefined) return [Buffer.from(JSON.stringify(json)), 'application/json']
  return [undefined, undefined]
}

/** Sends requests over keep-alive connections; throws if no complete reply arrives. */
export const askerOf = (
  base: () => string,
  /** `beganAt`: when the request was sent, as `Date.now()`. */
  witness: (reply: Reply, method: string, path: string, beganAt: number) => void = () => {},
  maxSockets = 256,
) => {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const ask: Ask = (method, path, asking = {}) =>
    new Promise((resolve, reject) => {
      const beganAt = Date.now()
      const [body, type] = bodyOf(asking)
      const { token, key, headers, timeoutMs = 120_000, signal } = asking
      const target = path.startsWith('http') ? path : `${base()}/${path}`
      const sent = request(target, {
        method,
        agent,
        ...(signal && { signal }),
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { 'idempotency-key': key }),
          ...(type && { 'content-type': type }),
          ...(body && { 'content-length': body.length }),
          ...headers,
        },
      })
      const late = setTimeout(() => sent.destroy(new Error(`no reply within ${timeoutMs} ms`)), timeoutMs)
      sent.on('error', reject)
      sent.on('close', () => clearTimeout(late))
      sent.on('response', response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('aborted', () => reject(new Error('the reply broke off')))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const isJson = /^application\/json/.test(response.headers['content-type'] ?? '')
          try {
            const parsed = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes.toString('utf8', 0, 4096)
            const reply = { status: response.statusCode ?? 0, headers: response.headers, body: parsed, bytes }
            witness(reply, method, path, beganAt)
            resolve(reply)
          } catch (fault) {
            reject(fault)
          }
        })
      })
      sent.end(body)
    })
  return { ask, close: () => agent.destroy() }
}
