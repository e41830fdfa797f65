import type { ServerOptions } from 'node:http'
import { IncomingMessage } from 'node:http'
import type { Config } from '../../settings/config.ts'

/** The path below which clients reach the service, like `/party`; empty at the root of its host. */
export const publicPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/**
 * Makes a server take the public path off what it is asked for, if the proxy in front has not: no route knows of it. In
 * the class of its requests, because an upgrade passes none of Fastify's hooks, and no request of the channel does.
 */
export const takesOff = (publicPath: string): Pick<ServerOptions, 'IncomingMessage'> => {
  if (publicPath === '') return {}
  const asked = Symbol('asked')
  class Request extends IncomingMessage {
    [asked]?: string
  }
  const below = (url: string) => (url.startsWith(`${publicPath}/`) ? url.slice(publicPath.length) : url)
  Object.defineProperty(Request.prototype, 'url', {
    get(this: Request) {
      return this[asked]
    },
    set(this: Request, url: string) {
      // `location /party { proxy_pass http://127.0.0.1:3000/; }` leaves two slashes.
      this[asked] = below(url).replace(/^\/{2,}/, '/')
    },
  })
  return { IncomingMessage: Request as typeof IncomingMessage }
}
