import { once } from 'node:events'
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { certificate } from './loopback-tls.ts'

export type Call = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  session: ServerHttp2Session
  stream: ServerHttp2Stream
}
export type Http2Answer = (call: Call) => void

/** An HTTP/2 server on loopback that records requests and answers as currently told. */
export async function openHttp2Service(answer: Http2Answer) {
  const calls: Call[] = []
  const sessions = new Set<ServerHttp2Session>()
  let opened = 0
  let current = answer

  const server = createSecureServer({ ...certificate, allowHTTP1: false })
  server.on('session', session => {
    opened += 1
    sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    void text(stream).then(
      body => {
        const session = stream.session as ServerHttp2Session
        const call = { path: headers[':path'] ?? '', headers, body, session, stream }
        calls.push(call)
        current(call)
      },
      () => {}, // cut off by a test
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    sessions,
    opened: () => opened,
    answers(next: Http2Answer) {
      current = next
    },
    async close() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const saying =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Http2Answer =>
  ({ stream }) => {
    stream.respond({ ':status': status, 'content-type': 'application/json', ...headers })
    stream.end(JSON.stringify(body))
  }
