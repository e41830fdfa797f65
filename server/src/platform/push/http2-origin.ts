import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from 'node:http2'
import { Http2Sessions } from './http2-sessions.ts'
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

/** Over one session, opened when needed and replaced when the server, a ping or a timeout ends it. */
export function openHttp2Origin(origin: string, options: Http2Options = {}): Http2Origin {
  const { ca, timeoutMs = 10_000, pingEveryMs = 60_000, idleMs = 600_000 } = options
  const sessions = new Http2Sessions(origin, { ca, timeoutMs, pingEveryMs, idleMs })

  const exchange = async (path: string, headers: OutgoingHttpHeaders, body: string): Promise<Answer> => {
    const session = sessions.usable()
    const stream = session.request({ ...headers, ':method': 'POST', ':path': path })
    const answer = answerOf(stream, timeoutMs, () => sessions.retire(session))
    stream.end(body)
    return answer
  }

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
    close: () => sessions.close(),
  }
}

const answerOf = (stream: ClientHttp2Stream, timeoutMs: number, whenLate: () => void) =>
  new Promise<Answer>((resolve, reject) => {
    let answer: Answer | null = null
    let broken: (Error & { cause?: unknown }) | null = null
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
    stream.on('error', fault => {
      broken = fault
    })
    const settle = (failure: () => unknown) => {
      if (answer) resolve({ ...answer, json: parse(pieces) })
      else reject(failure())
    }
    const limit = setTimeout(() => {
      settle(() => new TooSlow())
      whenLate()
      stream.close(constants.NGHTTP2_CANCEL)
    }, timeoutMs)
    stream.on('close', () => {
      clearTimeout(limit)
      const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
      settle(() => (isRefused ? new NotProcessed() : (broken?.cause ?? broken ?? new Error('no answer'))))
    })
  })

function parse(pieces: Buffer[]): unknown {
  if (pieces.length === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return undefined
  }
}

class NotProcessed extends Error {}
