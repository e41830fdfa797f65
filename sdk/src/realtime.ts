import type * as notifications from '@afterglow/contract/notifications'
import type {
  ChannelEventKind,
  ChannelEvents,
  ChannelMeta,
  ChannelReady,
  ChannelRefusal,
} from '@afterglow/contract/realtime'
import type { Answer } from '@afterglow/contract/route'
import { io } from 'socket.io-client'
import { type Connection, call } from './call.ts'
import type { WithExtra } from './operation.ts'

/** The channel's events, by kind. */
export type ChannelPayloads = WithExtra<ChannelEvents>

type Handler<Kind extends ChannelEventKind> = (payload: ChannelPayloads[Kind], meta: ChannelMeta) => void

export type RealtimeOptions = {
  /** Where an earlier run of this client stopped; it is told what has happened since. */
  cursor?: string
  /** How many events to hold while catching up before starting over. */
  heldMax?: number
}

/** What the channel reports about itself. */
export type RealtimeState = {
  /** Everything up to now has been delivered, and so will anything new. */
  live: () => void
  /** The connection is lost; it reconnects by itself. */
  lost: () => void
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
   * The network or the app is back: connects at once unless connected. An attempt that nobody answers would be waited
   * for, for up to twenty seconds.
   */
  wake(): void
  close(): void
}

type Sync = Answer<typeof notifications.syncRealtime>
type Held = { kind: ChannelEventKind; payload: unknown; meta: ChannelMeta }

const channelPath = '/realtime'
const retryMs = 1000

/**
 * Listens to the channel. Every event is delivered once and in order, through lost connections and server restarts:
 * after each connect it fetches from the log what it missed, and only then delivers what arrived meanwhile.
 */
export const connect = (
  connection: Connection,
  { cursor: start, heldMax = 10_000 }: RealtimeOptions = {},
): Realtime => {
  const byKind = new Map<string, Set<(payload: never, meta: ChannelMeta) => void>>()
  const any = new Set<(kind: ChannelEventKind, payload: unknown, meta: ChannelMeta) => void>()
  const states = {
    live: new Set<() => void>(),
    lost: new Set<() => void>(),
    stale: new Set<() => void>(),
    signedOut: new Set<() => void>(),
  }
  let cursor = start
  /** What arrived while catching up; undefined when live. */
  let held: Held[] | undefined = []
  /** Incremented with each connect, so that catching up for an earlier one stops. */
  let life = 0

  const url = new URL(connection.baseUrl)
  const socket = io(url.origin, {
    path: channelPath,
    transports: ['websocket'],
    auth: give => give({ token: tokenOf(connection) }),
    reconnectionDelay: 250,
    reconnectionDelayMax: 5000,
    randomizationFactor: 0.5,
    forceNew: true,
  })

  const tell = ({ kind, payload, meta }: Held) => {
    if (meta.cursor !== null) cursor = meta.cursor
    for (const handler of byKind.get(kind) ?? []) handler(payload as never, meta)
    for (const handler of any) handler(kind, payload, meta)
  }
  const state = (name: keyof RealtimeState) => {
    for (const handler of states[name]) handler()
  }

  /** From the cursor to where this socket began; then what it has received since. */
  const catchUp = async (ready: string) => {
    const mine = life
    while (cursor !== undefined && mine === life) {
      const missed = await sync(cursor, ready)
      if (mine !== life) return
      if (!missed) continue
      for (const { kind, cursor, payload } of missed.changes)
        tell({ kind: kind as ChannelEventKind, payload, meta: { cursor } })
      cursor = missed.cursor
      if (missed.too_old) state('stale')
      if (!missed.more) break
    }
    if (mine !== life) return
    cursor = ready
    const waiting = held ?? []
    held = undefined
    for (const event of waiting) tell(event)
    state('live')
  }

  /** Undefined after an error, a moment later. */
  const sync = async (from: string, until: string): Promise<Sync | undefined> => {
    try {
      const input = { cursor: from, until }
      return (await call(connection, { method: 'GET', path: 'api/realtime/sync' }, input)) as Sync
    } catch (error) {
      // A cursor that the service cannot read is treated as one that is too old.
      if ((error as { status?: number }).status === 400)
        return { cursor: until, too_old: true, more: false, changes: [] }
      await new Promise(resolve => setTimeout(resolve, retryMs))
      return undefined
    }
  }

  socket.on('ready', ({ cursor }: ChannelReady) => void catchUp(cursor))
  socket.onAny((kind: ChannelEventKind | 'ready', payload: unknown, meta: ChannelMeta, acknowledge?: () => void) => {
    if (kind === 'ready') return
    acknowledge?.()
    if (!held) return tell({ kind, payload, meta })
    if (held.push({ kind, payload, meta }) > heldMax) begin()
  })
  const begin = () => {
    life += 1
    socket.disconnect().connect()
  }
  socket.on('disconnect', reason => {
    life += 1
    held = []
    state('lost')
    // The server closed it: the token has ended, unless the connection has a newer one.
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.on('connect_error', error => {
    const { data } = error as { data?: ChannelRefusal }
    if (data?.status === 401) return state('signedOut')
    // Refused by the service rather than on the way there, which the client retries by itself.
    if (data) setTimeout(() => socket.connect(), retryMs * (1 + Math.random()))
  })

  const listen = <Entry>(set: Set<Entry>, entry: Entry) => {
    set.add(entry)
    return () => void set.delete(entry)
  }
  return {
    on(kind, handler) {
      const handlers = byKind.get(kind) ?? new Set()
      byKind.set(kind, handlers)
      return listen(handlers, handler as (payload: never, meta: ChannelMeta) => void)
    },
    onAny: handler => listen(any, handler),
    when: (name, handler) => listen(states[name], handler),
    get cursor() {
      return cursor
    },
    reconnect: begin,
    wake() {
      if (!socket.connected) begin()
    },
    close() {
      life += 1
      socket.disconnect()
    },
  }
}

const tokenOf = ({ token }: Connection) => (typeof token === 'function' ? token() : token)
