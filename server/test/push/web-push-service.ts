import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { openBrowser } from './browser.ts'
import { authority, certificate } from './loopback-tls.ts'

export type Delivery = { headers: IncomingHttpHeaders; body: Buffer; text: string }
export type WebPushAnswer = (reply: ServerResponse, request: IncomingMessage) => void

/**
 * A push service on loopback for any number of browsers: a message to a browser's endpoint is decrypted with its keys.
 * Each endpoint answers 201 until told otherwise.
 */
export async function openWebPushService() {
  const browsers = new Map<string, (request: IncomingMessage, reply: ServerResponse) => Promise<void>>()
  const server = createServer(certificate, (request, reply) => {
    const arrive = browsers.get(request.url ?? '')
    if (!arrive) reply.writeHead(404).end()
    else void arrive(request, reply)
  })
  let connections = 0
  server.on('secureConnection', () => {
    connections += 1
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`

  return {
    origin,
    ca: authority,
    connections: () => connections,
    /** Subscribes a browser. `deliveries` holds the messages that reached it. */
    subscribe(answer: WebPushAnswer = reply => reply.writeHead(201).end()) {
      const browser = openBrowser()
      const path = `/push/${randomBytes(24).toString('base64url')}`
      const deliveries: Delivery[] = []
      browsers.set(path, async (request, reply) => {
        const body = await buffer(request)
        deliveries.push({ headers: request.headers, body, text: browser.decrypt(body) })
        answer(reply, request)
      })
      const subscription = { endpoint: `${origin}${path}`, p256dh: browser.p256dh, auth: browser.auth }
      return { subscription, deliveries, messages: () => deliveries.map(({ text }) => JSON.parse(text)) }
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
