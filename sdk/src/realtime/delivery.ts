import type * as channel from '@afterglow/contract/notifications/channel'
import type { ChannelEventKind } from '@afterglow/contract/realtime'
import type { Answer } from '@afterglow/contract/route'
import { type Connection, call } from '../call.ts'
import type { ChannelEvent, Listeners } from './listeners.ts'

export const retryMs = 1000

/** Tells every event once and in order: what was missed, from the log, and then what arrived meanwhile. */
export class Delivery {
  cursor: string | undefined
  /** Incremented with each connection that begins or ends, so that whatever runs for an earlier one stops. */
  life = 0
  /** Events that arrived while catching up; undefined when live. */
  #held: ChannelEvent[] | undefined = []
  readonly #connection: Connection
  readonly #listeners: Listeners

  constructor(connection: Connection, listeners: Listeners, cursor: string | undefined) {
    this.#connection = connection
    this.#listeners = listeners
    this.cursor = cursor
  }

  /** From now on, what arrives is held until somebody has caught up. */
  hold() {
    this.#held = []
  }

  /** Tells it, or holds it. Returns how many are held. */
  receive(event: ChannelEvent): number {
    if (this.#held) return this.#held.push(event)
    this.#tell(event)
    return 0
  }

  /** From the cursor to where this connection began; then what it has received since. */
  async catchUp(beginning: string) {
    const mine = this.life
    while (this.cursor !== undefined && mine === this.life) {
      try {
        await this.tellMissed(beginning)
        break
      } catch {
        await new Promise(resolve => setTimeout(resolve, retryMs))
      }
    }
    if (mine !== this.life) return
    this.cursor = beginning
    const waiting = this.#held ?? []
    this.#held = undefined
    for (const event of waiting) this.#tell(event)
    this.#listeners.state('live')
  }

  /** From the cursor to another one, or to now. Returns whether there was anything. */
  async tellMissed(until?: string): Promise<boolean> {
    const mine = this.life
    let told = false
    for (;;) {
      const { cursor } = this
      const missed = await sync(this.#connection, { ...(cursor !== undefined && { cursor }), ...(until && { until }) })
      if (mine !== this.life) return false
      for (const { kind, cursor, payload } of missed.changes)
        this.#tell({ kind: kind as ChannelEventKind, payload, meta: { cursor } })
      told ||= missed.changes.length > 0 || missed.too_old
      // Without a cursor, nobody knows what happened between loading and asking.
      const afresh = missed.too_old || this.cursor === undefined
      this.cursor = missed.cursor
      if (afresh) this.#listeners.state('stale')
      // Asked again with its cursor, the service knows that it arrived, and sends no push as well.
      const rang = missed.changes.some(({ kind }) => kind === 'notification.created')
      if (!missed.more && !rang) return told
    }
  }

  #tell(event: ChannelEvent) {
    if (event.meta.cursor !== null) this.cursor = event.meta.cursor
    this.#listeners.tell(event)
  }
}

type Sync = Answer<typeof channel.syncRealtime>

const sync = async (connection: Connection, input: { cursor?: string; until?: string }): Promise<Sync> => {
  try {
    return (await call(connection, { method: 'GET', path: 'api/realtime/sync' }, input)) as Sync
  } catch (error) {
    if ((error as { status?: number }).status !== 400 || !input.cursor) throw error
    // A cursor that the service cannot read is treated as one that is too old.
    const cursor = input.until ?? (await sync(connection, {})).cursor
    return { cursor, too_old: true, more: false, changes: [] }
  }
}
