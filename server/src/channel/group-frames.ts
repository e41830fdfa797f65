import { randomBytes } from 'node:crypto'
import { acknowledgeSeconds } from '@afterglow/contract/realtime'
import type { Holder } from '../platform/media/signed-url.ts'
import { eventText, frameOf } from './frames.ts'
import type { AddressedPayload } from './payloads.ts'
import type { Connected } from './sockets.ts'
import { expectAck } from './wire.ts'

/**
 * Payloads are made once, with this placeholder for the origin of their URLs; each socket's own origin replaces it in
 * the text. Nobody can guess it, so user text is never mistaken for it.
 */
export const anyOrigin = `https://${randomBytes(16).toString('hex')}.invalid`
/** The same for who holds the links to an event's pictures. */
export const anyHolder = `&h=${randomBytes(16).toString('hex')}`

/** `holding`: what is in somebody's links instead of `anyHolder`. */
export const openGroupFrames = (holding: (holder: Holder) => string) => {
  let acks = 0
  /** A group's frame for one socket: the same bytes for all with the same origin, unless it links to pictures. */
  return (kind: string, { payload, acknowledged }: Omit<AddressedPayload, 'to'>, cursor: string | null) => {
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
}

/** One number for all recipients of the event, as in Socket.IO's own broadcast. */
const expectAckInTime = (connected: Connected, ack: number, acknowledged: (deviceRow: number) => void) => {
  const forget = expectAck(connected.socket, ack, () => acknowledged(connected.deviceRow))
  setTimeout(forget, acknowledgeSeconds * 1000).unref()
}
