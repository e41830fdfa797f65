import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
} from 'node:http'
import { Agent, type AgentOptions, request } from 'node:https'
import { TooSlow } from '../outcome.ts'

export type Answer = { status: number; retryAfter: string | undefined; headers: IncomingHttpHeaders }

export type Https = {
  /** Rejects with TooSlow or the connection's error. A redirect is an answer like any other. */
  post(url: URL, headers: OutgoingHttpHeaders, body: Uint8Array): Promise<Answer>
  close(): void
}

/** Persistent connections, and new ones in case those turn out to be dead. */
type Agents = { kept: Agent; fresh: Agent }

const socketsPerServiceMax = 64
const idleMs = 60_000
const answerBytesMax = 16 * 1024

type Limits = {
  timeoutMs: number
  /** Until a connection is established, including name resolution and handshake. */
  connectMs: number
}

/**
 * Posts to any number of servers over persistent connections, or over a new one each if the address is plain http;
 * `way` says whom to trust and how to resolve them.
 */
export function openHttps({ timeoutMs, connectMs, ...way }: AgentOptions & Limits): Https {
  const agents: Agents = {
    kept: new Agent({
      ...way,
      keepAlive: true,
      maxSockets: socketsPerServiceMax,
      maxFreeSockets: socketsPerServiceMax, // fewer, and each burst would shake hands anew
      timeout: idleMs,
    }),
    fresh: new Agent({ ...way, maxSockets: socketsPerServiceMax }),
  }
  return {
    post: (url, headers, body) => exchange(url, agents, headers, body, { timeoutMs, connectMs }),
    close() {
      agents.kept.destroy()
      agents.fresh.destroy()
    },
  }
}

function exchange(url: URL, agents: Agents, headers: OutgoingHttpHeaders, body: Uint8Array, limits: Limits) {
  return new Promise<Answer>((resolve, reject) => {
    let sent = attempt(agents.kept)
    // From the call on: a service that hangs must not build up a queue before its connections.
    const limit = setTimeout(() => sent.destroy(new TooSlow()), limits.timeoutMs)

    function attempt(agent: Agent): ClientRequest {
      const plain = url.protocol === 'http:'
      const started = plain
        ? plainRequest(url, { method: 'POST', agent: false, headers })
        : request(url, { method: 'POST', agent, headers })
      let answered = false
      started.on('socket', socket => {
        if (!socket.connecting) return
        const connecting = setTimeout(() => started.destroy(new TooSlow()), limits.connectMs)
        for (const over of [plain ? 'connect' : 'secureConnect', 'close'])
          socket.once(over, () => clearTimeout(connecting))
      })
      started.on('response', answer => {
        answered = true
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          headers: answer.headers,
        })
        drain(answer, () => started.destroy())
      })
      started.on('error', (fault: NodeJS.ErrnoException) => {
        // The service closed a persistent connection just as we used it, and perhaps all of them.
        const wasDead = started.reusedSocket && !answered && (fault.code === 'ECONNRESET' || fault.code === 'EPIPE')
        if (wasDead) sent = attempt(agents.fresh)
        else reject(fault)
      })
      started.on('close', () => started === sent && clearTimeout(limit))
      started.end(body)
      return started
    }
  })
}

/** Reads an unneeded body, so that the connection can be kept, but only a little of it. */
function drain(answer: IncomingMessage, tooMuch: () => void) {
  let bytes = 0
  answer.on('error', () => {})
  answer.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > answerBytesMax) tooMuch()
  })
}
