import { createHash } from 'node:crypto'
import type { PushAddress } from './senders.ts'

// A browser's push address names its service, so anybody can name a host that takes connections and says nothing. What
// waits for such a host must not be what others wait for: the services that browsers use have a lane each, and all other
// hosts share a few that are narrow.

/** In which lane of jobs pushes to this address wait. */
export type LaneOf = (platform: PushAddress['platform'], endpoint: string | null) => string

const services = [
  'googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
  'push.samsung.com',
] as const

const strangersLanes = 16
const ofStrangers = 'push web of strangers '

/** Origins that the operator names are known as well. */
export const pushLanes =
  (knownOrigins: readonly string[] = []): LaneOf =>
  (platform, endpoint) => {
    if (platform !== 'web') return `push ${platform}`
    const url = URL.parse(endpoint ?? '')
    const host = url?.hostname.replace(/\.$/, '') ?? ''
    const service = services.find(name => host === name || host.endsWith(`.${name}`))
    if (service) return `push web ${service}`
    if (url && knownOrigins.includes(url.origin)) return `push web ${url.host}`
    return `${ofStrangers}${strangersLaneOf(host)}`
  }

/** Whoever owns a domain has as many names below it as they like: it has one lane of so many. */
export const strangersLaneOf = (host: string) => {
  const domain = host.split('.').slice(-2).join('.')
  return createHash('sha256').update(domain).digest().readUInt32BE() % strangersLanes
}

export const isOfStrangers = (lane: string) => lane.startsWith(ofStrangers)

/** How many pushes of a lane are on their way at once. */
export const placesOf = (lane: string) => (isOfStrangers(lane) ? 8 : 64)
