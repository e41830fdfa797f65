import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const file = (name: string) => new URL(`../../server/test/tls/${name}`, import.meta.url).pathname
const certificate = { key: readFileSync(file('localhost.key.pem')), cert: readFileSync(file('localhost.pem')) }

/** The authority that the certificate of a push service here is signed by. */
export const authorityFile = file('authority.pem')

/** A provider on loopback that takes every push: like Apple's by HTTP/2, or like a browser's. */
export const openPushService = async (way: 'apns' | 'web') => {
  const server =
    way === 'apns'
      ? createSecureServer(certificate).on('stream', stream => {
          stream.resume().on('end', () => {
            stream.respond({ ':status': 200 })
            stream.end()
          })
        })
      : createServer(certificate, (request, reply) => {
          request.resume().on('end', () => reply.writeHead(201).end())
        })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}
