import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { closed } from './closed.ts'

export type SlowReader = {
  /** Stops reading from the socket. */
  stopReading(): void
  /** Reads the rest until the service closes. Returns every event ever received, as Socket.IO texts. */
  readToTheEnd(): Promise<string[]>
}

/** A client of the channel over a bare socket, which can stop reading. */
export const openSlowReader = (url: string, token: string): Promise<SlowReader> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/realtime/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    })
    asked.on('error', reject).end()
    asked.on('upgrade', (_, socket: Socket, head) => {
      let bytes: Buffer = head
      const texts: string[] = []
      let parts: Buffer[] = []
      const gone = closed(socket)
      socket.on('data', chunk => {
        parts.push(chunk)
        if (parts.length > 64) take()
        if (!texts.some(text => text.startsWith('42["ready"'))) {
          take()
          if (texts.some(text => text.startsWith('42["ready"'))) resolve({ stopReading, readToTheEnd })
        }
      })
      const take = () => {
        bytes = Buffer.concat([bytes, ...parts])
        parts = []
        for (let found = frameIn(bytes); found; found = frameIn(bytes)) {
          texts.push(found.text)
          bytes = bytes.subarray(found.end)
        }
      }
      const stopReading = () => void socket.pause()
      const readToTheEnd = async () => {
        socket.resume()
        await gone
        take()
        return texts.filter(text => text.startsWith('42'))
      }
      socket.write(masked(`40${JSON.stringify({ token })}`))
    })
  })

const frameIn = (bytes: Buffer): { text: string; end: number } | undefined => {
  if (bytes.length < 2) return undefined
  const short = (bytes[1] as number) & 0x7f
  const head = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < head) return undefined
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const end = head + length
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', head, end), end }
}

const masked = (text: string) => {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}
