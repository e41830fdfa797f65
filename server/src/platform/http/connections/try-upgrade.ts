import { randomBytes } from 'node:crypto'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { channelPath } from '@afterglow/contract/realtime'

/** The channel, as a client opens it. */
export const channelProbe = `${channelPath}?EIO=4&transport=websocket`

const withinMs = 5_000

/**
 * Tries a WebSocket on a path of the service: `lost` if a proxy made an ordinary request of it, `refused` if something
 * else answers.
 */
export const tryUpgrade = (publicUrl: string, path: string): Promise<'open' | 'lost' | 'refused'> =>
  new Promise((resolve, reject) => {
    const url = publicUrl + path
    const asking = (url.startsWith('https:') ? overHttps : overHttp)(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
      signal: AbortSignal.timeout(withinMs),
      agent: false,
    })
    asking.once('upgrade', (_reply, socket) => {
      socket.destroy()
      resolve('open')
    })
    asking.once('response', reply => {
      reply.destroy()
      // The service only answers a request this way if its Upgrade header was lost; on another path it has no such
      // answer.
      resolve(reply.headers['x-interface'] && reply.statusCode !== 404 ? 'lost' : 'refused')
    })
    asking.once('error', reject)
    asking.end()
  })
