import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** How a request was addressed: the scheme and host that its client used. */
export type Addressed = { protocol: string; host: string }

const first = (header: string | string[] | undefined) => [header].flat()[0]?.split(',')[0]?.trim()

/** Reads it off a raw request as the HTTP server does: forwarded headers count from trusted proxies (CIDR) only. */
export const openAddressing = (trustedProxies: readonly string[]) => {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return ({ headers, socket }: IncomingMessage): Addressed => {
    const remote = socket.remoteAddress ?? ''
    const proxied = isIP(remote) > 0 && trusted.check(remote, isIP(remote) === 6 ? 'ipv6' : 'ipv4')
    return {
      protocol: (proxied && first(headers['x-forwarded-proto'])) || 'http',
      host: (proxied && first(headers['x-forwarded-host'])) || headers.host || '',
    }
  }
}
