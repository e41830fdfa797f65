import { randomBytes } from 'node:crypto'
import { acknowledgeSeconds } from '@afterglow/contract/realtime'
import type { Logger } from 'pino'
import type { Database } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { ChangeRow } from './announcing.ts'
import { eventText, FrameRow, frameOf } from './frames.ts'
import { cursorsOf } from './position.ts'
import type { Batch } from './relay.ts'
import { type Members, type Membership, type Recipient, type Showing, type Shown, showChanges } from './showing.ts'
import type { Connected, Sockets } from './sockets.ts'

export type Delivering = {
  db: Database
  sockets: Sockets
  showing: Showing
  membership: Membership
  urlsFor(origin: string): Urls
  /** Closes the sockets of these users whose session has ended. */
  recheck(userIds: readonly number[]): Promise<void>
  log: Pick<Logger, 'error' | 'warn'>
}

const nobody: Members = { ids: [], organizers: new Set() }

/** A reader who is further behind is dropped: it comes back and catches up from the log. */
const waitingBytesMax = 1024 * 1024

/**
 * Payloads are made once, with this for the origin of their URLs; each socket's own origin takes its place in the text.
 * Nobody can guess it, so nothing that people write is taken for it.
 */
export const anyOrigin = `https://${randomBytes(16).toString('hex')}.invalid`

/** Tells batches of changes to the sockets of this process. */
export const openDelivery = ({ db, sockets, showing, membership, urlsFor, recheck, log }: Delivering) => {
  const urls = urlsFor(anyOrigin)
  let acks = 0

  /** Who is connected here of those who are told. */
  const recipients = async (changes: readonly ChangeRow[]) => {
    const eventIds = [...new Set(changes.flatMap(({ event_id }) => event_id ?? []))]
    const members = await membership.membersOf(db, eventIds)
    const here = new Map<string, readonly Recipient[]>()
    return (change: ChangeRow): readonly Recipient[] => {
      const { audience, event_id: eventId, user_id: userId } = change
      const key = audience === 'user' ? `${eventId} ${userId}` : `${eventId} ${audience}`
      let found = here.get(key)
      if (!found) {
        const { ids, organizers } = members.get(eventId ?? 0) ?? nobody
        const told = audience === 'user' ? [userId ?? 0] : audience === 'organizers' ? [...organizers] : ids
        found = told.filter(sockets.hasUser).map(id => ({
          id,
          standing: organizers.has(id) ? 'organizer' : audience === 'event' || ids.includes(id) ? 'guest' : 'none',
        }))
        here.set(key, found)
      }
      return found
    }
  }

  const tell = async ({ seen, next, changes }: Batch): Promise<void> => {
    const ended = changes.filter(({ kind }) => (kind as string) === 'session.ended')
    if (ended.length) await recheck(ended.map(({ user_id }) => user_id ?? 0))
    const recipientsOf = await recipients(changes)
    const shown = await showChanges(db, showing, changes, { recipientsOf, urls, log })
    const cursor = cursorsOf(seen, next)
    const rows = new Map<Connected, FrameRow>()
    const first = new FrameRow()
    for (const { id, kind } of changes)
      for (const group of shown.get(id) ?? []) {
        const frame = framesOf(kind, group, cursor(id))
        for (const userId of group.to)
          for (const connected of sockets.of(userId)) {
            if (group.devices && !group.devices.includes(connected.deviceRow)) continue
            rows.set(connected, (rows.get(connected) ?? first).and(frame(connected)))
          }
      }
    for (const [connected, row] of rows) write(connected, row.bytes)
  }

  /** The frame of a group for one socket: the same bytes for all that came in by the same origin. */
  const framesOf = (kind: string, { payload, acknowledged }: Shown, cursor: string | null) => {
    const json = JSON.stringify(payload)
    const ack = acknowledged && ++acks
    const byOrigin = new Map<string, Buffer>()
    return (connected: Connected) => {
      const { origin } = connected
      let frame = byOrigin.get(origin)
      if (!frame) {
        frame = frameOf(eventText(kind, json.replaceAll(anyOrigin, origin), JSON.stringify({ cursor }), ack))
        byOrigin.set(origin, frame)
      }
      if (ack && acknowledged) expectAck(connected, ack, acknowledged)
      return frame
    }
  }

  /** One number for all who get the event, as Socket.IO's own broadcast does it. */
  const expectAck = ({ socket, deviceRow }: Connected, ack: number, acknowledged: (deviceRow: number) => void) => {
    const { acks } = socket as unknown as { acks: Map<number, () => void> }
    acks.set(ack, () => acknowledged(deviceRow))
    setTimeout(() => acks.delete(ack), acknowledgeSeconds * 1000).unref()
  }

  const write = (connected: Connected, bytes: Buffer) => {
    const conn = connected.socket.conn as unknown as Conn
    if (conn.transport.writable) connected.waitingBytes = 0
    if (connected.waitingBytes <= waitingBytesMax) {
      connected.waitingBytes += bytes.length
      return conn.write('', { wsPreEncodedFrame: [bytes] })
    }
    log.warn({ user: connected.userId }, 'a slow reader was dropped and will catch up')
    conn.transport.socket.terminate()
  }

  return {
    tell,
    /** For payloads that are whispered. */
    urls,
    /** Tells what the log does not hold, such as who is typing, to these users here. */
    whisper(kind: string, payload: unknown, userIds: Iterable<number>) {
      const frame = framesOf(kind, { payload, to: [] }, null)
      for (const userId of userIds) for (const connected of sockets.of(userId)) write(connected, frame(connected))
    },
  }
}

/** What we use of an engine.io connection beyond its types: a frame that is ready goes out as it stands. */
type Conn = {
  write(data: string, options: { wsPreEncodedFrame: Buffer[] }): void
  transport: { writable: boolean; socket: { terminate(): void } }
}
