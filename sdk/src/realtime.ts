import type * as channel from '@afterglow/contract/notifications/channel'
import type {
  ChannelEventKind,
  ChannelEvents,
  ChannelMeta,
  ChannelReady,
  ChannelRefusal,
} from '@afterglow/contract/realtime'
import type { Answer } from '@afterglow/contract/route'
import { io } from 'socket.io-client'
import { openAsking } from './asking.ts'
import { type Connection, call, tokenOf } from './call.ts'
import type { WithExtra } from './operation.ts'

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

/** What the channel reports about itself. */
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

type Sync = Answer<typeof channel.syncRealtime>
type Held = { kind: ChannelEventKind; payload: unknown; meta: ChannelMeta }

const channelPath = '/realtime'
const retryMs = 1000
/** How long a channel may take to open, for the first time and again: then what is new is asked for meanwhile. */
const openingMs = { first: 1_000, again: 3_000 }
/** A network may swallow an attempt without a word: after so many answers by other ways, it has. */
const silentAnswers = 4
const reconnectMs = { opening: 5_000, asking: 30_000 }

/**
 * Listens to the channel. Every event is delivered once and in order, through lost connections and server restarts:
 * after each connect it fetches from the log what it missed, and only then delivers what arrived meanwhile. Without a
 * connection it fetches from the log every few seconds.
 */
export const connect = (
  connection: Connection,
  { cursor: start, heldMax = 10_000, mayAsk = () => true }: RealtimeOptions = {},
): Realtime => {
  const byKind = new Map<string, Set<(payload: never, meta: ChannelMeta) => void>>()
  const any = new Set<(kind: ChannelEventKind, payload: unknown, meta: ChannelMeta) => void>()
  const states = {
    live: new Set<() => void>(),
    lost: new Set<() => void>(),
    asking: new Set<() => void>(),
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
    path: url.pathname.replace(/\/$/, '') + channelPath,
    transports: ['websocket'],
    auth: give => give({ token: tokenOf(connection) }),
    reconnectionDelay: 250,
    reconnectionDelayMax: reconnectMs.opening,
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
      try {
        await tellMissed(ready)
        break
      } catch {
        await new Promise(resolve => setTimeout(resolve, retryMs))
      }
    }
    if (mine !== life) return
    cursor = ready
    const waiting = held ?? []
    held = undefined
    for (const event of waiting) tell(event)
    state('live')
  }

  /** From the cursor to another one, or to now. Returns whether there was anything. */
  const tellMissed = async (until?: string): Promise<boolean> => {
    const mine = life
    let told = false
    for (;;) {
      const missed = await sync({ ...(cursor !== undefined && { cursor }), ...(until && { until }) })
      if (mine !== life) return false
      for (const { kind, cursor, payload } of missed.changes)
        tell({ kind: kind as ChannelEventKind, payload, meta: { cursor } })
      told ||= missed.changes.length > 0 || missed.too_old
      // Without a cursor, nobody knows what happened between loading and asking.
      const afresh = missed.too_old || cursor === undefined
      cursor = missed.cursor
      if (afresh) state('stale')
      // Asked again with its cursor, the service knows that it arrived, and sends no push as well.
      const rang = missed.changes.some(({ kind }) => kind === 'notification.created')
      if (!missed.more && !rang) return told
    }
  }

  const sync = async (input: { cursor?: string; until?: string }): Promise<Sync> => {
    try {
      return (await call(connection, { method: 'GET', path: 'api/realtime/sync' }, input)) as Sync
    } catch (error) {
      if ((error as { status?: number }).status !== 400 || !input.cursor) throw error
      // A cursor that the service cannot read is treated as one that is too old.
      const cursor = input.until ?? (await sync({})).cursor
      return { cursor, too_old: true, more: false, changes: [] }
    }
  }

  /** How far the current attempt to connect is; between two of them, it rests. */
  let attempt: 'opening' | 'joining' | 'resting' = 'opening'
  /** Answers since there was a channel; whether an attempt to open one has failed since, and whether that was told. */
  let answers = 0
  let failed = false
  let told = false
  const asking = openAsking({
    mayAsk,
    async ask() {
      // It only has to wait its turn.
      if (attempt === 'joining') return false
      const mine = life
      try {
        const isNew = await tellMissed()
        if (mine !== life) return isNew
        answers += 1
        // The service is there again: no need to rest.
        if (answers === 1 && attempt === 'resting') reconnect()
        if (!told && answers >= (failed ? 2 : silentAnswers)) {
          told = true
          socket.io.reconnectionDelayMax(reconnectMs.asking)
          state('asking')
        }
        return isNew
      } catch (error) {
        if ((error as { status?: number }).status === 401) signOut()
        throw error
      }
    },
  })
  const signOut = () => {
    asking.stop()
    state('signedOut')
  }

  socket.on('ready', ({ cursor }: ChannelReady) => {
    // An answer that is on its way would tell the same again.
    life += 1
    asking.stop()
    answers = 0
    failed = false
    told = false
    socket.io.reconnectionDelayMax(reconnectMs.opening)
    void catchUp(cursor)
  })
  socket.onAny((kind: ChannelEventKind | 'ready', payload: unknown, meta: ChannelMeta, acknowledge?: () => void) => {
    if (kind === 'ready') return
    acknowledge?.()
    if (!held) return tell({ kind, payload, meta })
    if (held.push({ kind, payload, meta }) > heldMax) begin()
  })
  const reconnect = () => {
    life += 1
    attempt = 'opening'
    socket.disconnect().connect()
  }
  const begin = () => {
    reconnect()
    asking.begin(answers > 0 ? 0 : openingMs.again)
  }
  socket.on('disconnect', reason => {
    life += 1
    held = []
    attempt = 'resting'
    state('lost')
    asking.begin(openingMs.again)
    // The server closed it: the token has ended, unless the connection has a newer one.
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.io.on('reconnect_attempt', () => {
    attempt = 'opening'
  })
  socket.io.on('open', () => {
    attempt = 'joining'
  })
  socket.on('connect_error', error => {
    const { data } = error as { data?: ChannelRefusal }
    if (data?.status === 401) return signOut()
    // Refused by the service rather than on the way there, which the client retries by itself.
    if (data) setTimeout(() => socket.connect(), retryMs * (1 + Math.random()))
  })

  asking.begin(openingMs.first)

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
      asking.stop()
    },
  }
}
