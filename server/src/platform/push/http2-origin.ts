import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { TooSlow } from './outcome.ts'

/** `json` is undefined if the body is not JSON. */
export type Answer = { status: number; retryAfter: string | undefined; json: unknown }

/** One server spoken to over HTTP/2. `post` rejects with TooSlow or the connection's error. */
export type Http2Origin = {
  post(path: string, headers: OutgoingHttpHeaders, body: string): Promise<Answer>
  close(): void
}

export type Http2Options = {
  /** PEM of a certificate authority to trust instead of the system's. */
  ca?: string
  timeoutMs?: number
  /** How often a session is pinged, so that a dead one is noticed before a push needs it. */
  pingEveryMs?: number
  idleMs?: number
}

const answerBytesMax = 16 * 1024

/** Keeps one session, opened when needed and replaced when the server, a ping or a timeout ends it. */
export function openHttp2Origin(origin: string, options: Http2Options = {}): Http2Origin {
  const { ca, timeoutMs = 10_000, pingEveryMs = 60_000, idleMs = 600_000 } = options
  let current: ClientHttp2Session | null = null
  let usedAt = 0
  let closed = false
  const sessions = new Set<ClientHttp2Session>()
  const retired = new WeakSet<ClientHttp2Session>()

  return {
    async post(path, headers, body) {
      try {
        return await exchange(path, headers, body)
      } catch (fault) {
        // The server sent GOAWAY before it processed the request: a new session may carry it.
        if (!(fault instanceof NotProcessed)) throw fault
        return await exchange(path, headers, body)
      }
    },
    close() {
      closed = true
      for (const session of sessions) session.destroy()
    },
  }

  function exchange(path: string, headers: OutgoingHttpHeaders, body: string): Promise<Answer> {
    if (closed) throw new Error('closed')
    const session = usableSession()
    usedAt = performance.now()
    return new Promise((resolve, reject) => {
      const stream = session.request({ ...headers, ':method': 'POST', ':path': path })
      let answer: Answer | null = null
      const pieces: Buffer[] = []
      let bytes = 0
      stream.on('response', head => {
        answer = { status: Number(head[':status']), retryAfter: head['retry-after'], json: undefined }
      })
      stream.on('data', (piece: Buffer) => {
        pieces.push(piece)
        bytes += piece.length
        if (bytes > answerBytesMax) stream.close(constants.NGHTTP2_CANCEL)
      })
      let broken: (Error & { cause?: unknown }) | null = null
      stream.on('error', fault => {
        broken = fault
      })
      const settle = (failure: () => unknown) => {
        if (answer) resolve({ ...answer, json: parse(pieces) })
        else reject(failure())
      }
      const limit = setTimeout(() => {
        settle(() => new TooSlow())
        retire(session)
        stream.close(constants.NGHTTP2_CANCEL)
      }, timeoutMs)
      stream.on('close', () => {
        clearTimeout(limit)
        const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
        settle(() => (isRefused ? new NotProcessed() : (broken?.cause ?? broken ?? new Error('no answer'))))
      })
      stream.end(body)
    })
  }

  function usableSession(): ClientHttp2Session {
    // A session with GOAWAY counts as closed, though requests it accepted still complete.
    if (current && !current.closed && !current.destroyed) return current
    const session = connect(origin, { ca, settings: { enablePush: false } })
    current = session
    sessions.add(session)
    const heartbeat = setInterval(() => check(session), pingEveryMs).unref()
    session.on('error', () => {}) // told to each request by its stream
    session.on('close', () => {
      clearInterval(heartbeat)
      sessions.delete(session)
    })
    return session
  }

  function check(session: ClientHttp2Session) {
    if (session.destroyed) return
    if (performance.now() - usedAt > idleMs) return retire(session)
    const late = setTimeout(() => session.destroy(), timeoutMs).unref()
    session.ping(() => clearTimeout(late))
  }

  /** Requests in progress on it may complete; the next ones use another. */
  function retire(session: ClientHttp2Session) {
    if (current === session) current = null
    if (retired.has(session)) return
    retired.add(session)
    session.close()
    // A dead connection never reports that it has closed.
    const late = setTimeout(() => session.destroy(), 2 * timeoutMs).unref()
    session.once('close', () => clearTimeout(late))
  }
}

function parse(pieces: Buffer[]): unknown {
  if (pieces.length === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return undefined
  }
}

class NotProcessed extends Error {}
