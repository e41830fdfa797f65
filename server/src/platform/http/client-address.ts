import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** How a request was addressed: the scheme and host that its client used, and the client's address. */
export type ClientAddress = { protocol: string; host: string; from: string }

/** Each of several proxies adds to the end: the first is what the client used. */
const first = (header: string | string[] | undefined) => [header].flat()[0]?.split(',')[0]?.trim()

/** A proxy may name the WebSocket's scheme. */
const secure = /^(?:https|wss)$/i

/** A proxy that names its port beside the host: at another than the scheme's, links need it. */
const withPort = (host: string, port: string | undefined) => {
  if (!host || !port || !/^[1-9]\d{0,4}$/.test(port) || /:\d+$/.test(host)) return host
  return port === '80' || port === '443' ? host : `${host}:${port}`
}

/** Tells whether an address is one of the trusted proxies (CIDR). */
export const openTrust = (trustedProxies: readonly string[]) => {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (remote = '') => isIP(remote) > 0 && trusted.check(remote, isIP(remote) === 6 ? 'ipv6' : 'ipv4')
}

/** The one rule for requests and sockets: forwarded headers only count from trusted proxies. */
export const openAddressing = (trustedProxies: readonly string[]) => {
  const trusts = openTrust(trustedProxies)
  return ({ headers, socket }: IncomingMessage): ClientAddress => {
    const remote = socket.remoteAddress ?? ''
    if (!trusts(remote)) return { protocol: 'http', host: headers.host || '', from: remote }
    // The nearest address that is not one of our proxies: anything before it may have been forged.
    const way = [headers['x-forwarded-for']].flat().join(',').split(',')
    const from = way.map(address => address.trim()).findLast(address => isIP(address) > 0 && !trusts(address))
    const host = first(headers['x-forwarded-host']) || headers.host || ''
    return {
      protocol: secure.test(first(headers['x-forwarded-proto']) ?? '') ? 'https' : 'http',
      host: withPort(host, first(headers['x-forwarded-port'])),
      from: from || remote,
    }
  }
}
