import type { ChannelEventKind, ChannelMeta, ChannelReady, ChannelRefusal } from '@afterglow/contract/realtime'
import { io, type Socket } from 'socket.io-client'
import { type Connection, tokenOf } from '../call.ts'
import type { RealtimeOptions } from '../realtime.ts'
import { Delivery, retryMs } from './delivery.ts'
import type { ChannelEvent, Listeners } from './listeners.ts'
import { openPolling } from './polling.ts'

const channelPath = '/realtime'
/** How long a channel may take to open, for the first time and again: then what is new is asked for meanwhile. */
const openingMs = { first: 1_000, again: 3_000 }
/** A network may swallow an attempt without a word: after so many answers by other ways, it has. */
const silentAnswers = 4
const reconnectMs = { opening: 5_000, asking: 30_000 }

type Options = { cursor: string | undefined } & Required<Pick<RealtimeOptions, 'heldMax' | 'mayAsk'>>

/** The socket, and asking what is new for as long as there is none. */
export class Channel {
  readonly #listeners: Listeners
  readonly #delivery: Delivery
  readonly #socket: Socket
  readonly #asking: ReturnType<typeof openPolling>
  readonly #heldMax: number
  /** How far the current attempt to connect is; between two of them, it rests. */
  #attempt: 'opening' | 'joining' | 'resting' = 'opening'
  /** Answers since there was a channel, and whether it was told that there is none. */
  #answers = 0
  #toldAsking = false

  constructor(connection: Connection, listeners: Listeners, { cursor, heldMax, mayAsk }: Options) {
    this.#listeners = listeners
    this.#delivery = new Delivery(connection, listeners, cursor)
    this.#heldMax = heldMax
    this.#socket = socketTo(connection)
    this.#asking = openPolling({ mayAsk, ask: () => this.#ask() })
    this.#hear()
    this.#asking.begin(openingMs.first)
  }

  get cursor() {
    return this.#delivery.cursor
  }

  begin() {
    this.#reconnect()
    this.#asking.begin(this.#answers > 0 ? 0 : openingMs.again)
  }

  wake() {
    if (!this.#socket.connected) this.begin()
  }

  close() {
    this.#delivery.life += 1
    this.#socket.disconnect()
    this.#asking.stop()
  }

  #hear() {
    const socket = this.#socket
    socket.on('ready', ({ cursor }: ChannelReady) => this.#ready(cursor))
    socket.onAny((kind: ChannelEventKind | 'ready', payload: unknown, meta: ChannelMeta, acknowledge?: () => void) => {
      if (kind === 'ready') return
      acknowledge?.()
      this.#receive({ kind, payload, meta })
    })
    socket.on('disconnect', reason => this.#lost(reason))
    socket.on('connect_error', error => this.#failed((error as { data?: ChannelRefusal }).data))
    socket.io.on('reconnect_attempt', () => {
      this.#attempt = 'opening'
    })
    socket.io.on('open', () => {
      this.#attempt = 'joining'
    })
  }

  #ready(cursor: string) {
    // An answer that is on its way would tell the same again.
    this.#delivery.life += 1
    this.#asking.stop()
    this.#answers = 0
    this.#toldAsking = false
    this.#socket.io.reconnectionDelayMax(reconnectMs.opening)
    void this.#delivery.catchUp(cursor)
  }

  #receive(event: ChannelEvent) {
    if (this.#delivery.receive(event) > this.#heldMax) this.begin()
  }

  #lost(reason: string) {
    this.#delivery.life += 1
    this.#delivery.hold()
    this.#attempt = 'resting'
    this.#listeners.state('lost')
    this.#asking.begin(openingMs.again)
    // The server closed it: the token has ended, unless the connection has a newer one.
    if (reason === 'io server disconnect') this.#socket.connect()
  }

  #failed(refusal: ChannelRefusal | undefined) {
    if (refusal?.status === 401) this.#signOut()
    // Refused by the service rather than on the way there, which the client retries by itself.
    else if (refusal) setTimeout(() => this.#socket.connect(), retryMs * (1 + Math.random()))
  }

  #reconnect() {
    this.#delivery.life += 1
    this.#attempt = 'opening'
    this.#socket.disconnect().connect()
  }

  async #ask(): Promise<boolean> {
    // It only has to wait its turn.
    if (this.#attempt === 'joining') return false
    const mine = this.#delivery.life
    try {
      const isNew = await this.#delivery.tellMissed()
      if (mine === this.#delivery.life) this.#answered()
      return isNew
    } catch (error) {
      if ((error as { status?: number }).status === 401) this.#signOut()
      throw error
    }
  }

  #answered() {
    this.#answers += 1
    // The service is there again: no need to rest.
    if (this.#answers === 1 && this.#attempt === 'resting') this.#reconnect()
    if (this.#toldAsking || this.#answers < silentAnswers) return
    this.#toldAsking = true
    this.#socket.io.reconnectionDelayMax(reconnectMs.asking)
    this.#listeners.state('asking')
  }

  #signOut() {
    this.#asking.stop()
    this.#listeners.state('signedOut')
  }
}

const socketTo = (connection: Connection): Socket => {
  const url = new URL(connection.baseUrl)
  return io(url.origin, {
    path: url.pathname.replace(/\/$/, '') + channelPath,
    transports: ['websocket'],
    auth: give => give({ token: tokenOf(connection) }),
    reconnectionDelay: 250,
    reconnectionDelayMax: reconnectMs.opening,
    randomizationFactor: 0.5,
    forceNew: true,
  })
}
