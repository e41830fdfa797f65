import { type ClientHttp2Session, connect } from 'node:http2'
import type { Http2Options } from './http2-origin.ts'

type Options = Pick<Http2Options, 'ca'> & Required<Omit<Http2Options, 'ca'>>

/** One session with a server, and those before it that still end. */
export class Http2Sessions {
  readonly #origin: string
  readonly #options: Options
  readonly #all = new Set<ClientHttp2Session>()
  readonly #retired = new WeakSet<ClientHttp2Session>()
  #current: ClientHttp2Session | null = null
  #usedAt = 0
  #closed = false

  constructor(origin: string, options: Options) {
    this.#origin = origin
    this.#options = options
  }

  /** The session, which is being used from now on. */
  usable(): ClientHttp2Session {
    if (this.#closed) throw new Error('closed')
    this.#usedAt = performance.now()
    // A session with GOAWAY counts as closed, though requests it accepted still complete.
    if (this.#current && !this.#current.closed && !this.#current.destroyed) return this.#current
    this.#current = this.#open()
    return this.#current
  }

  /** Requests in progress on it may complete; the next ones use another. */
  retire(session: ClientHttp2Session) {
    if (this.#current === session) this.#current = null
    if (this.#retired.has(session)) return
    this.#retired.add(session)
    session.close()
    // A dead connection never reports that it has closed.
    const late = setTimeout(() => session.destroy(), 2 * this.#options.timeoutMs).unref()
    session.once('close', () => clearTimeout(late))
  }

  close() {
    this.#closed = true
    for (const session of this.#all) session.destroy()
  }

  #open(): ClientHttp2Session {
    const session = connect(this.#origin, { ca: this.#options.ca, settings: { enablePush: false } })
    this.#all.add(session)
    const heartbeat = setInterval(() => this.#check(session), this.#options.pingEveryMs).unref()
    session.on('error', () => {}) // told to each request by its stream
    session.on('close', () => {
      clearInterval(heartbeat)
      this.#all.delete(session)
    })
    return session
  }

  #check(session: ClientHttp2Session) {
    if (session.destroyed) return
    if (performance.now() - this.#usedAt > this.#options.idleMs) return this.retire(session)
    const late = setTimeout(() => session.destroy(), this.#options.timeoutMs).unref()
    session.ping(() => clearTimeout(late))
  }
}
