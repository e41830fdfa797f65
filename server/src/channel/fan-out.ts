import { randomBytes } from 'node:crypto'
import { audienceMay, can, ordinary, type Standing } from '@afterglow/contract/capabilities'
import { acknowledgeSeconds } from '@afterglow/contract/realtime'
import type { Logger } from 'pino'
import type { ChangeRow } from '../log/announce.ts'
import type { PlacedRow } from '../log/changes-sql.ts'
import { cursorOf } from '../log/position.ts'
import type { Database } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Holder } from '../platform/media/signed-url.ts'
import { eventText, FrameRow, frameOf } from './frames.ts'
import { type Members, type Membership, type Recipient, type Showing, type Shown, showChanges } from './payloads.ts'
import type { Batch } from './relay.ts'
import type { Connected, Sockets } from './sockets.ts'
import { connectionOf, cutOff, expectAck, heldBack, sendFrames } from './wire.ts'

export type Delivering = {
  db: Database
  sockets: Sockets
  showing: Showing
  membership: Membership
  urlsFor(origin: string): Urls
  /** What is in somebody's links instead of `anyHolder`. */
  holding(holder: Holder): string
  /** Closes the sockets of these users whose session has ended. */
  recheck(userIds: readonly number[]): Promise<void>
  log: Pick<Logger, 'error' | 'warn'>
}

/** A socket and the frames that it gets. */
type Due = { connected: Connected; row: FrameRow }
type AllShown = ReadonlyMap<number, readonly Shown[]>

const nobody: Members = { ids: [], roles: new Map(), viewers: new Map() }

/** Those in an event whom an audience includes: everybody, or some of those who are not ordinary guests. */
const toldOf = ({ ids, roles, viewers }: Members, audience: keyof typeof audienceMay) => {
  const may = audienceMay[audience]
  if (can(ordinary, may)) return viewers.size > 0 ? [...ids, ...viewers.keys()] : ids
  return [...roles].filter(([, role]) => can(role, may)).map(([id]) => id)
}

/** A reader that is further behind is disconnected: it reconnects and catches up from the log. */
const waitingBytesMax = 1024 * 1024
const heldBackMax = 100

/**
 * Payloads are made once, with this placeholder for the origin of their URLs; each socket's own origin replaces it in
 * the text. Nobody can guess it, so user text is never mistaken for it.
 */
export const anyOrigin = `https://${randomBytes(16).toString('hex')}.invalid`
/** The same for who holds the links to an event's pictures. */
export const anyHolder = `&h=${randomBytes(16).toString('hex')}`

/** Sends batches of changes to the sockets of this process. */
export const openDelivery = ({ db, sockets, showing, membership, urlsFor, holding, recheck, log }: Delivering) => {
  const urls = urlsFor(anyOrigin)
  let acks = 0

  /** Which recipients are connected here. */
  const recipients = (members: ReadonlyMap<number, Members>) => {
    const here = new Map<string, readonly Recipient[]>()
    return (change: ChangeRow): readonly Recipient[] => {
      const { audience, event_id: eventId, user_id: userId } = change
      const key = audience === 'user' ? `${eventId} ${userId}` : `${eventId} ${audience}`
      let found = here.get(key)
      if (!found) {
        const event = members.get(eventId ?? 0) ?? nobody
        const told = audience === 'user' ? [userId ?? 0] : toldOf(event, audience)
        const standingOf = (id: number): Standing =>
          event.roles.get(id) ??
          event.viewers.get(id) ??
          (audience !== 'user' || event.ids.includes(id) ? ordinary : 'none')
        found = told.filter(sockets.hasUser).map(id => ({ id, standing: standingOf(id) }))
        here.set(key, found)
      }
      return found
    }
  }

  const tell = async ({ head, changes, within }: Batch): Promise<number> => {
    const ended = changes.filter(({ kind }) => kind === 'session.ended')
    if (ended.length) await recheck(ended.map(({ user_id }) => user_id ?? 0))
    const recipientsOf = recipients(await membership.membersAt(db, within))
    const shown = await showChanges(db, showing, changes, { recipientsOf, urls, log })
    const due = dueTo(changes, shown, place => cursorOf(head, place))
    for (const { connected, row } of due) write(connected, row.bytes)
    return due.length
  }

  /** What each socket gets of a batch. Has no side effects: whatever fails here may be repeated. */
  const dueTo = (changes: readonly PlacedRow[], shown: AllShown, cursor: (place: number) => string) => {
    const due: Due[] = []
    const dueOf = new Map<Connected, Due>()
    const first = new FrameRow()
    const beginning = (connected: Connected) => {
      const begun = { connected, row: first }
      dueOf.set(connected, begun)
      due.push(begun)
      return begun
    }
    // Most changes in a batch have the same recipients, whose sockets are looked up once.
    const together = new Map<readonly number[], readonly Due[]>()
    const duesOf = (to: readonly number[]) => {
      const found = together.get(to)
      if (found) return found
      const theirs = to.flatMap(sockets.of)
      const dues = theirs.map(connected => dueOf.get(connected) ?? beginning(connected))
      together.set(to, dues)
      return dues
    }
    for (const { id, place, kind } of changes)
      for (const group of shown.get(id) ?? []) {
        const frame = framesOf(kind, group, cursor(place))
        for (const one of duesOf(group.to)) {
          if (group.devices && !group.devices.includes(one.connected.deviceRow)) continue
          one.row = one.row.and(frame(one.connected))
        }
      }
    return due.filter(({ row }) => row !== first)
  }

  /** A group's frame for one socket: the same bytes for all with the same origin, unless it links to pictures. */
  const framesOf = (kind: string, { payload, acknowledged }: Shown, cursor: string | null) => {
    const json = JSON.stringify(payload)
    const ack = acknowledged && ++acks
    const meta = JSON.stringify({ cursor })
    const isHeld = json.includes(anyHolder)
    const byOrigin = new Map<string, string>()
    const textFor = (origin: string) => {
      const text = byOrigin.get(origin) ?? eventText(kind, json.replaceAll(anyOrigin, origin), meta, ack)
      byOrigin.set(origin, text)
      return text
    }
    const frames = new Map<string, Buffer>()
    return (connected: Connected) => {
      const { origin, userId, linkEpoch } = connected
      const key = isHeld ? `${userId} ${linkEpoch} ${origin}` : origin
      let frame = frames.get(key)
      if (!frame) {
        const text = textFor(origin)
        frame = frameOf(isHeld ? text.replaceAll(anyHolder, holding({ userId, linkEpoch })) : text)
        frames.set(key, frame)
      }
      if (ack && acknowledged) expectAckInTime(connected, ack, acknowledged)
      return frame
    }
  }

  /** One number for all recipients of the event, as in Socket.IO's own broadcast. */
  const expectAckInTime = (connected: Connected, ack: number, acknowledged: (deviceRow: number) => void) => {
    const forget = expectAck(connected.socket, ack, () => acknowledged(connected.deviceRow))
    setTimeout(forget, acknowledgeSeconds * 1000).unref()
  }

  const write = ({ socket, stream, userId }: Connected, bytes: Buffer) => {
    if (stream.writableLength > waitingBytesMax || heldBack(socket) > heldBackMax) {
      log.warn({ user: userId }, 'a slow reader was dropped and will catch up')
      cutOff(connectionOf(socket))
    } else sendFrames(socket, stream, bytes)
  }

  return {
    tell,
    /** For payloads that are not in the log. */
    urls,
    /** Sends what the log does not contain, such as who is typing, to these users here. */
    whisper(kind: string, payload: unknown, userIds: Iterable<number>) {
      const frame = framesOf(kind, { payload, to: [] }, null)
      for (const userId of userIds) for (const connected of sockets.of(userId)) write(connected, frame(connected))
    },
  }
}
