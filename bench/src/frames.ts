import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

/** Receives a frame's content by its position in the buffer, without copying. */
export type Frame = (bytes: Buffer, start: number, end: number) => void

/** The request for the channel, as a WebSocket. */
export const upgrade = [
  'GET /realtime/?EIO=4&transport=websocket HTTP/1.1',
  'Host: bench',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  '\r\n',
].join('\r\n')

/** A short text as a client's frame, masked with zeros. */
export const maskedFrame = (text: string) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

type Reading = { upgraded(): void; frame: Frame }

/** Reads the frames of a server after the upgrade. */
export const readFrames = (socket: Socket, { upgraded, frame }: Reading) => {
  let isOpen = false
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    if (!isOpen) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end >= 0) {
        isOpen = true
        at = end + 4
        upgraded()
      }
    }
    while (isOpen && bytes.length - at >= 2) {
      const short = (bytes[at + 1] as number) & 127
      const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (bytes.length < start) break
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6)
      if (bytes.length < start + length) break
      frame(bytes, start, start + length)
      at = start + length
    }
    rest = bytes.subarray(at)
  })
  // The waiting caller notices a missing frame.
  socket.on('error', () => {})
}
