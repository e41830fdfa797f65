import type { ChannelEventKind, ChannelEvents, ChannelMeta } from '@afterglow/contract/realtime'
import type { Connection } from './call.ts'
import type { WithExtra } from './operation.ts'
import { Channel } from './realtime/channel.ts'
import { Listeners } from './realtime/listeners.ts'

/** The channel's events, by kind. */
export type ChannelPayloads = WithExtra<ChannelEvents>

type Handler<Kind extends ChannelEventKind> = (payload: ChannelPayloads[Kind], meta: ChannelMeta) => void

export type RealtimeOptions = {
  /** Where an earlier run of this client stopped; it is told what has happened since. */
  cursor?: string
  /** How many events to hold while catching up before starting over. */
  heldMax?: number
  /**
   * Whether to ask for what is new while there is no channel, read before each question: not for an app in the
   * background. `wake` asks at once.
   */
  mayAsk?: () => boolean
}

/** Callbacks for changes of the channel's state. */
export type RealtimeState = {
  /** Everything up to now has been delivered, and so will anything new. */
  live: () => void
  /** The connection is lost; it reconnects by itself. */
  lost: () => void
  /**
   * There is no channel, as behind a proxy that lets no WebSocket through: what is new is asked for every few seconds,
   * until there is one. Everything up to now has been delivered, except who is typing.
   */
  asking: () => void
  /**
   * Changes since the cursor cannot be delivered, because it is too old or the service was restored to an earlier
   * state: reload what is shown. The channel continues from here.
   */
  stale: () => void
  /** The token is no longer valid; nothing arrives until `reconnect`. */
  signedOut: () => void
}

export type Realtime = {
  /** Calls back for every event of a kind. Returns an unsubscribe function. */
  on<Kind extends ChannelEventKind>(kind: Kind, handler: Handler<Kind>): () => void
  /** Calls back for every event. */
  onAny(handler: (kind: ChannelEventKind, payload: unknown, meta: ChannelMeta) => void): () => void
  when<Name extends keyof RealtimeState>(name: Name, handler: RealtimeState[Name]): () => void
  /** Everything up to this cursor has been handed to the handlers: store it to continue from in a later run. */
  readonly cursor: string | undefined
  /** Connects again, with the connection's current token. */
  reconnect(): void
  /**
   * The network or the app is back: connects at once unless connected, and asks what is new. An attempt that nobody
   * answers would be waited for, for up to twenty seconds.
   */
  wake(): void
  close(): void
}

/**
 * Listens to the channel. Every event is delivered once and in order, through lost connections and server restarts:
 * after each connect it fetches from the log what it missed, and only then delivers what arrived meanwhile. Without a
 * connection it fetches from the log every few seconds.
 */
export const connect = (
  connection: Connection,
  { cursor, heldMax = 10_000, mayAsk = () => true }: RealtimeOptions = {},
): Realtime => {
  const listeners = new Listeners()
  const channel = new Channel(connection, listeners, { cursor, heldMax, mayAsk })
  return {
    on: (kind, handler) => listeners.on(kind, handler),
    onAny: handler => listeners.onAny(handler),
    when: (name, handler) => listeners.when(name, handler),
    get cursor() {
      return channel.cursor
    },
    reconnect: () => channel.begin(),
    wake: () => channel.wake(),
    close: () => channel.close(),
  }
}
