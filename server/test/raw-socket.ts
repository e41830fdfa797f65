import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepEvent } from './channel-recorder.ts'

/** The service's answer to a page of this origin (none: an app) that opens the channel: 101 if allowed. */
export const upgradeFrom = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/realtime/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        ...headers,
      },
    })
    asked.on('upgrade', (reply, socket) => {
      socket.destroy()
      resolve(reply.statusCode ?? 0)
    })
    asked.on('response', reply => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    asked.on('error', reject).end()
  })

export type RawSocket = {
  /** Every received text, as Engine.IO wrote it. */
  texts: string[]
  send(text: string): void
  /** Resolves to whether the connection closes in time. */
  closes(withinMs?: number): Promise<boolean>
  close(): void
}

/** A hand-written client, for messages that no proper client sends. It answers the service's pings. */
export const openRawSocket = async (url: string, auth?: object): Promise<RawSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/?EIO=4&transport=websocket`)
  const texts: string[] = []
  let closed = false
  const closing = new Promise<void>(resolve => {
    socket.onclose = () => {
      closed = true
      resolve()
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error('the channel could not be opened'))
  })
  socket.onmessage = ({ data }) => {
    if (data === '2') socket.send('3')
    else texts.push(String(data))
    const [, event] = /^42(\[.+)$/s.exec(String(data)) ?? []
    const [kind, ...told] = event ? JSON.parse(event) : []
    if (kind === 'ready') keepEvent(kind, told, url)
  }
  socket.onerror = () => {}
  if (auth) socket.send(`40${JSON.stringify(auth)}`)
  return {
    texts,
    send: text => socket.send(text),
    async closes(withinMs = 2000) {
      await Promise.race([closing, sleep(withinMs)])
      return closed
    },
    close: () => socket.close(),
  }
}
