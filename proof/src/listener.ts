import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import type { Ask, Json } from './http.ts'

export type Heard = { kind: string; payload: Json; at: number }

/** A person connected to the channel, who catches up by cursor after every disconnect, as documented. */
export type Listener = {
  readonly heard: readonly Heard[]
  readonly cursor: string | undefined
  /** How often the service told it to reload everything. */
  readonly staleTimes: number
  readonly isLive: boolean
  readonly signedOut: boolean
  close(): void
}

type Event = Heard & { cursor: string | null }
type Listening = { token: string; ask: Ask; cursor?: string; acknowledges?: boolean }

export const listen = (address: () => string, listening: Listening): Listener =>
  new ChannelListener(address(), listening)

class ChannelListener implements Listener {
  readonly heard: Heard[] = []
  cursor: string | undefined
  staleTimes = 0
  isLive = false
  signedOut = false
  readonly #token: string
  readonly #ask: Ask
  readonly #socket: Socket
  #held: Event[] = []
  #life = 0
  #closed = false

  constructor(url: string, { token, ask, cursor, acknowledges = true }: Listening) {
    this.#token = token
    this.#ask = ask
    this.cursor = cursor
    this.#socket = io(url, {
      path: '/realtime',
      transports: ['websocket'],
      auth: { token },
      forceNew: true,
      reconnectionDelay: 50,
      reconnectionDelayMax: 300,
    })
    this.#socket.on('ready', ({ cursor: ready }: { cursor: string }) => void this.#catchUp(ready))
    this.#socket.onAny((kind: string, payload: Json, meta: { cursor: string | null }, acknowledge?: () => void) => {
      if (kind === 'ready') return
      if (acknowledges) acknowledge?.()
      const event = { kind, payload, cursor: meta.cursor, at: Date.now() }
      if (this.isLive) this.#take(event)
      else this.#held.push(event)
    })
    this.#socket.on('disconnect', reason => this.#lost(reason))
    this.#socket.on('connect_error', error => this.#failed((error as { data?: { status?: number } }).data?.status))
  }

  close() {
    this.#closed = true
    this.#life += 1
    this.#socket.disconnect()
  }

  async #catchUp(ready: string) {
    const mine = this.#life
    const isCaughtUp = await this.#readMissed(ready)
    if (!isCaughtUp || mine !== this.#life || this.#closed) return
    this.cursor = ready
    this.isLive = true
    // Marks the app as active; otherwise nothing would go over the channel, and no wrong delivery would be noticed.
    void this.#ask('PUT', 'api/realtime/ping', { token: this.#token }).catch(() => {})
    for (const event of this.#held) this.#take(event)
    this.#held = []
  }

  /** Returns false if this connection or its token has ended. */
  async #readMissed(until: string): Promise<boolean> {
    const mine = this.#life
    while (this.cursor !== undefined && mine === this.#life && !this.#closed) {
      const query = new URLSearchParams({ cursor: this.cursor, until })
      const reply = await this.#ask('GET', `api/realtime/sync?${query}`, { token: this.#token }).catch(() => undefined)
      if (mine !== this.#life || reply?.status === 401) return false
      if (reply?.status !== 200) {
        await sleep(100)
        continue
      }
      for (const { kind, cursor, payload } of reply.body.changes) this.#take({ kind, payload, cursor, at: Date.now() })
      this.cursor = reply.body.cursor
      if (reply.body.too_old) this.staleTimes += 1
      if (!reply.body.more) break
    }
    return true
  }

  #take({ cursor, ...event }: Event) {
    this.heard.push(event)
    if (cursor !== null) this.cursor = cursor
  }

  #lost(reason: string) {
    this.#life += 1
    this.isLive = false
    this.#held = []
    if (reason === 'io server disconnect' && !this.#closed) this.#socket.connect()
  }

  #failed(status: number | undefined) {
    if (status === 401) this.signedOut = true
    else if (status !== undefined) setTimeout(() => this.#closed || this.#socket.connect(), 200)
  }
}
