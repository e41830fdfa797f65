import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// A stranger chose a subscription's endpoint: unchecked, this server could be used to reach its own network. The check
// is part of the connection's own lookup, so no second answer from a name server slips past it.

const notPublic4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
// The special ranges of 2000::/3: IETF protocols with Teredo, documentation, 6to4, documentation again.
const notPublic6: [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const forbidden = new BlockList()
for (const [network, prefix] of notPublic4) {
  forbidden.addSubnet(network, prefix, 'ipv4')
  // A gateway translates these back to the IPv4 address inside.
  forbidden.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
for (const [network, prefix] of notPublic6) forbidden.addSubnet(network, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
global6.addSubnet('64:ff9b::', 96, 'ipv6')

/** Tells whether an IP address is on the internet: not this machine, its network, a test range or multicast. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !forbidden.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6')
}

/** The name leads, or also leads, to an address that is not public. */
export class NotPublic extends Error {
  override name = 'NotPublic'
}

/**
 * A lookup for connections that refuses, with NotPublic, every name that leads anywhere but to the internet. It asks
 * the name servers itself: the system's lookup occupies one of the few threads that files and passwords need too, and a
 * stranger's name server may take its time.
 */
export function publicLookup(nameServers?: string[]): LookupFunction {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)

  const resolve = async (hostname: string) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [four, six].flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw four.status === 'rejected' ? four.reason : new NotPublic()
    if (!addresses.every(isPublicAddress)) throw new NotPublic()
    return addresses.map(address => ({ address, family: isIP(address) }))
  }
  return (hostname, options, callback) => {
    resolve(hostname).then(
      addresses => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family)
      },
      (fault: NodeJS.ErrnoException) => callback(fault, ''),
    )
  }
}
