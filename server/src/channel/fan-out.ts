import type { Logger } from 'pino'
import { cursorOf } from '../log/position.ts'
import type { Database } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Holder } from '../platform/media/signed-url.ts'
import { FrameRow } from './frames.ts'
import { anyOrigin, openGroupFrames } from './group-frames.ts'
import { type AddressedPayload, type ChangePresenters, type Membership, showChanges } from './payloads.ts'
import { recipientsAmong } from './recipients.ts'
import type { Batch } from './relay.ts'
import type { Connected, Sockets } from './sockets.ts'
import { connectionOf, cutOff, heldBack, sendFrames } from './wire.ts'

export type DeliveryOptions = {
  db: Database
  sockets: Sockets
  showing: ChangePresenters
  membership: Membership
  urlsFor(origin: string): Urls
  /** Replaces `anyHolder` in the links of one person. */
  holding(holder: Holder): string
  /** Closes the sockets of these users whose session has ended. */
  recheck(userIds: readonly number[]): Promise<void>
  log: Pick<Logger, 'error' | 'warn'>
}

/** A reader that is further behind is disconnected: it reconnects and catches up from the log. */
const waitingBytesMax = 1024 * 1024
const heldBackMax = 100

/** Sends batches of changes to the sockets of this process. */
export const openDelivery = ({ db, sockets, showing, membership, urlsFor, holding, recheck, log }: DeliveryOptions) => {
  const urls = urlsFor(anyOrigin)
  const framesOf = openGroupFrames(holding)

  const write = ({ socket, stream, userId }: Connected, bytes: Buffer) => {
    if (stream.writableLength > waitingBytesMax || heldBack(socket) > heldBackMax) {
      log.warn({ user: userId }, 'a slow reader was dropped and will catch up')
      cutOff(connectionOf(socket))
    } else sendFrames(socket, stream, bytes)
  }

  return {
    /** Returns the number of sockets. Whatever may fail comes before the first is written to. */
    async tell({ head, changes, within }: Batch): Promise<number> {
      const ended = changes.filter(({ kind }) => kind === 'session.ended')
      if (ended.length) await recheck(ended.map(({ user_id }) => user_id ?? 0))
      const recipientsOf = recipientsAmong(sockets, await membership.membersAt(db, within))
      const shown = await showChanges(db, showing, changes, { recipientsOf, urls, log })
      const rows = new FrameRows(sockets)
      for (const { id, place, kind } of changes)
        for (const group of shown.get(id) ?? [])
          rows.add(group, framesOf(group.kind ?? kind, group, cursorOf(head, place)))
      const due = rows.filled()
      for (const { connected, row } of due) write(connected, row.bytes)
      return due.length
    },
    /** For payloads that are not in the log. */
    urls,
    /** Sends what the log does not contain, such as who is typing, to these users here. */
    whisper(kind: string, payload: unknown, userIds: Iterable<number>) {
      const frame = framesOf(kind, { payload }, null)
      for (const userId of userIds) for (const connected of sockets.of(userId)) write(connected, frame(connected))
    },
  }
}

/** A socket and the frames that it gets. */
type SocketFrames = { connected: Connected; row: FrameRow }

class FrameRows {
  readonly #sockets: Sockets
  readonly #empty = new FrameRow()
  readonly #due = new Map<Connected, SocketFrames>()
  /** Most changes in a batch have the same recipients, whose sockets are looked up once. */
  readonly #together = new Map<readonly number[], readonly SocketFrames[]>()

  constructor(sockets: Sockets) {
    this.#sockets = sockets
  }

  add({ to, devices }: AddressedPayload, frame: (connected: Connected) => Buffer) {
    for (const one of this.#duesOf(to)) {
      if (devices && !devices.includes(one.connected.deviceRow)) continue
      one.row = one.row.and(frame(one.connected))
    }
  }

  filled(): readonly SocketFrames[] {
    return [...this.#due.values()].filter(({ row }) => row !== this.#empty)
  }

  #duesOf(to: readonly number[]): readonly SocketFrames[] {
    const found = this.#together.get(to)
    if (found) return found
    const dues = to.flatMap(this.#sockets.of).map(connected => this.#due.get(connected) ?? this.#begin(connected))
    this.#together.set(to, dues)
    return dues
  }

  #begin(connected: Connected): SocketFrames {
    const begun = { connected, row: this.#empty }
    this.#due.set(connected, begun)
    return begun
  }
}
