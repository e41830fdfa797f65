import { createECDH, randomBytes } from 'node:crypto'
import { connect } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { openEncryption } from '../../server/src/platform/push/encryption.ts'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'

/**
 * Clients that post a body of a push's length over what is open already, and read the answer's status. One that `seals`
 * has each encrypted for a browser first, with a key of its own as the standard demands, in a thread as the service does.
 */
const { way = '', origin = '', ca = '', lanes = '', bytes = '', seals = '' } = given
const body = Buffer.alloc(Number(bytes), 'x')
/** What sealing adds to a body. */
const sealBytes = 103
const task = {
  p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
  text: 'x'.repeat(Number(bytes) - sealBytes),
}
const encryption = openEncryption()

const overHttp2 = () => {
  const session = connect(origin, { ca })
  return () =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': '/3/device/ab', 'content-type': 'application/json' })
      stream.on('response', head => (head[':status'] === 200 ? resolve() : reject(new Error('not taken'))))
      stream.on('error', reject)
      stream.resume()
      stream.end(body)
    })
}

const overHttps = () => {
  const agent = new Agent({ keepAlive: true, ca, maxSockets: Number(lanes) })
  const headers = { 'content-type': 'application/octet-stream', 'content-length': body.length }
  const post = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      const request = httpsRequest(`${origin}/push/ab`, { method: 'POST', agent, headers }, reply => {
        reply.resume().on('end', () => (reply.statusCode === 201 ? resolve() : reject(new Error('not taken'))))
      })
      request.on('error', reject)
      request.end(bytes)
    })
  return seals ? async () => post((await encryption.encrypt(task)) ?? body) : () => post(body)
}

const post = way === 'apns' ? overHttp2() : overHttps()
workWhenAsked(seconds => inParallel(Number(lanes), seconds, post))
