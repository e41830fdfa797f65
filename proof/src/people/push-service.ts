import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export type PushFault = '429' | '500' | '503' | 'slow' | 'hang' | 'cut'
/** A device as its provider knows it, by the address in its pushes. */
export type PushDevice = { address: string; read(body: Buffer): string }

/** Apple's, Google's and a browser's push provider in one, with faults on demand. */
export type PushService = {
  origin: string
  /** The certificate authority of its certificate. */
  authorityFile: string
  know(device: PushDevice): void
  /** Every request fails like this from now on; undefined ends the fault. */
  fail(fault: PushFault | undefined): void
  /** Unregisters a device. */
  lose(address: string): void
  /** The texts accepted for a device, with duplicates. */
  taken(address: string): readonly string[]
  close(): Promise<void>
}

const slowMs = 3000

export const openPushService = async (root: string): Promise<PushService> => {
  const file = (name: string) => join(root, 'server/test/tls', name)
  const certificate = { key: readFileSync(file('localhost.key.pem')), cert: readFileSync(file('localhost.pem')) }
  const devices = new Map<string, PushDevice>()
  const taken = new Map<string, string[]>()
  const lost = new Set<string>()
  const sockets = new Set<Socket>()
  let current: PushFault | undefined

  const answer = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const body = await buffer(request)
    const say = (status: number, json: object = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(json))
    const fault = current
    if (fault === 'hang') return
    if (fault === 'cut') return void (request.stream?.session ?? request.socket).destroy()
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, slowMs).unref())
    else if (fault) return void say(Number(fault))
    if (request.url === '/token') return void say(200, { access_token: 'proof', expires_in: 3600 })
    const device = [...devices.values()].find(
      ({ address }) => request.url.endsWith(address) || body.includes(`"${address}"`),
    )
    if (!device || lost.has(device.address))
      return request.url.startsWith('/v1/')
        ? void say(404, { error: { code: 404, details: [{ errorCode: 'UNREGISTERED' }] } })
        : void say(410, { reason: 'Unregistered' })
    taken.set(device.address, [...(taken.get(device.address) ?? []), device.read(body)])
    say(request.url.startsWith('/web/') ? 201 : 200)
  }
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    response.on('error', () => {})
    answer(request, response).catch(() => {})
  })
  server.on('secureConnection', socket => sockets.add(socket.on('close', () => sockets.delete(socket))))
  server.on('session', session => session.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    authorityFile: file('authority.pem'),
    know: device => void devices.set(device.address, device),
    fail(fault) {
      current = fault
    },
    lose: address => void lost.add(address),
    taken: address => taken.get(address) ?? [],
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
