import type { OutgoingHttpHeaders } from 'node:http'
import type { Reason } from '@afterglow/contract/reasons'
import { type Answer, openHttps } from './persistent-https.ts'
import { publicLookup } from './public-address.ts'
import { faultOfEndpoint } from './subscription.ts'

export type ChosenHostsOptions = {
  /** Origins that may be in a private network. */
  privateOrigins?: readonly string[]
  /** PEM of a certificate authority to trust instead of the system's. */
  ca?: string
  /** Name servers to ask instead of the system's. */
  nameServers?: string[]
  timeoutMs?: number
  /** Until a connection is established, including name resolution and handshake. */
  connectMs?: number
}

export type ChosenHosts = {
  /** The reason that nothing may be sent there, or null. */
  faultOf(address: string): Reason | null
  /** Rejects with NotPublic if the name leads into a private network when it is called. Follows no redirects. */
  post(url: URL, headers: OutgoingHttpHeaders, body: Uint8Array): Promise<Answer>
  close(): void
}

/**
 * The only way to user-chosen addresses, for browsers' push services and webhooks alike: to the internet over TLS, and
 * to origins that the operator lists. Unchecked, this server could be used to reach its own network.
 */
export const openChosenHosts = (options: ChosenHostsOptions): ChosenHosts => {
  const { privateOrigins = [], ca, timeoutMs = 10_000, connectMs = 3_000 } = options
  const toPublic = openHttps({ ca, timeoutMs, connectMs, lookup: publicLookup(options.nameServers) })
  const toPrivate = openHttps({ ca, timeoutMs, connectMs })
  return {
    faultOf: address => faultOfEndpoint(address, privateOrigins),
    post: (url, headers, body) => (privateOrigins.includes(url.origin) ? toPrivate : toPublic).post(url, headers, body),
    close() {
      toPublic.close()
      toPrivate.close()
    },
  }
}
