import { createHash } from 'node:crypto'
import type { PushAddress } from './senders.ts'

// A browser's push address names its service, so anybody can name a host that accepts connections and says nothing.
// Pushes waiting for such a host must not delay others: the browsers' own services have a lane each, and all other
// hosts share a few narrow ones.

/** The job lane in which pushes to this address wait. */
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

/** Origins that the operator lists are known as well. */
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

/** A domain's owner can create any number of names below it: together they share one lane. */
export const strangersLaneOf = (host: string) => {
  const domain = host.split('.').slice(-2).join('.')
  return createHash('sha256').update(domain).digest().readUInt32BE() % strangersLanes
}

export const isOfStrangers = (lane: string) => lane.startsWith(ofStrangers)

/** How many pushes of a lane are in progress at once. */
export const placesOf = (lane: string) => (isOfStrangers(lane) ? 8 : 64)
