import { connect } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'

/** Clients that post a body of a push's length over what is open already, and read the answer's status. Nothing is sealed. */
const { way = '', origin = '', ca = '', lanes = '', bytes = '' } = given
const body = Buffer.alloc(Number(bytes), 'x')

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
  return () =>
    new Promise<void>((resolve, reject) => {
      const request = httpsRequest(`${origin}/push/ab`, { method: 'POST', agent, headers }, reply => {
        reply.resume().on('end', () => (reply.statusCode === 201 ? resolve() : reject(new Error('not taken'))))
      })
      request.on('error', reject)
      request.end(body)
    })
}

const post = way === 'apns' ? overHttp2() : overHttps()
workWhenAsked(seconds => inParallel(Number(lanes), seconds, post))
