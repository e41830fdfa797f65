import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import type { Ask, Json } from './http.ts'

export type Heard = { kind: string; payload: Json; at: number }

/** Somebody connected to the channel, who catches up by cursor after every loss, as the documents say. */
export type Listener = {
  readonly heard: readonly Heard[]
  readonly cursor: string | undefined
  /** Times it was told to load afresh. */
  readonly staleTimes: number
  readonly isLive: boolean
  readonly signedOut: boolean
  close(): void
}

type Event = Heard & { cursor: string | null }

export const listen = (
  address: () => string,
  {
    token,
    ask,
    cursor: from,
    acknowledges = true,
  }: { token: string; ask: Ask; cursor?: string; acknowledges?: boolean },
): Listener => {
  const heard: Heard[] = []
  let cursor = from
  let staleTimes = 0
  let live = false
  let signedOut = false
  let closed = false
  let life = 0
  let held: Event[] = []
  const socket = io(address(), {
    path: '/realtime',
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 300,
  })
  const take = ({ cursor: reached, ...event }: Event) => {
    heard.push(event)
    if (reached !== null) cursor = reached
  }
  const catchUp = async (ready: string) => {
    const mine = life
    while (cursor !== undefined && mine === life && !closed) {
      const query = new URLSearchParams({ cursor, until: ready })
      const reply = await ask('GET', `api/realtime/sync?${query}`, { token }).catch(() => undefined)
      if (mine !== life) return
      if (reply?.status !== 200) {
        if (reply?.status === 401) return
        await sleep(100)
        continue
      }
      for (const { kind, cursor, payload } of reply.body.changes) take({ kind, payload, cursor, at: Date.now() })
      cursor = reply.body.cursor
      if (reply.body.too_old) staleTimes += 1
      if (!reply.body.more) break
    }
    if (mine !== life || closed) return
    cursor = ready
    live = true
    // An app that is in use says so; otherwise nothing would go over the channel, and no wrong way would be noticed.
    void ask('PUT', 'api/realtime/ping', { token }).catch(() => {})
    for (const event of held) take(event)
    held = []
  }
  socket.on('ready', ({ cursor: ready }: { cursor: string }) => void catchUp(ready))
  socket.onAny((kind: string, payload: Json, meta: { cursor: string | null }, acknowledge?: () => void) => {
    if (kind === 'ready') return
    if (acknowledges) acknowledge?.()
    const event = { kind, payload, cursor: meta.cursor, at: Date.now() }
    if (live) take(event)
    else held.push(event)
  })
  socket.on('disconnect', reason => {
    life += 1
    live = false
    held = []
    if (reason === 'io server disconnect' && !closed) socket.connect()
  })
  socket.on('connect_error', error => {
    const status = (error as { data?: { status?: number } }).data?.status
    if (status === 401) signedOut = true
    else if (status !== undefined) setTimeout(() => closed || socket.connect(), 200)
  })
  return {
    heard,
    get cursor() {
      return cursor
    },
    get staleTimes() {
      return staleTimes
    },
    get isLive() {
      return live
    },
    get signedOut() {
      return signedOut
    },
    close() {
      closed = true
      life += 1
      socket.disconnect()
    },
  }
}
