import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { type Reason, reasons } from '@afterglow/contract/reasons'
import { isPublicAddress } from './public-address.ts'

/** A browser's push subscription; the keys in base64url or base64. */
export type Subscription = { endpoint: string; p256dh: string; auth: string }

const endpointLengthMax = 2048
const authBytes = 16

/** Why this subscription can never be pushed to, or null: for registration. */
export const faultOfSubscription = (
  { endpoint, p256dh, auth }: Subscription,
  privateOrigins?: readonly string[],
): Reason | null =>
  faultOfEndpoint(endpoint, privateOrigins) ??
  (isPointOnCurve(p256dh) && Buffer.from(auth, 'base64url').length === authBytes ? null : reasons.keysNoKeys)

/**
 * Why nothing may be sent there, or null. Based only on the address itself: where its name leads is checked when
 * connecting. Endpoints of `privateOrigins` may be in a private network.
 */
export function faultOfEndpoint(endpoint: string, privateOrigins: readonly string[] = []): Reason | null {
  const url = endpoint.length <= endpointLengthMax ? URL.parse(endpoint) : null
  if (!url || url.username || url.password) return reasons.addressNotHttps
  // An origin listed by the operator may use plain http: it is in a network of their own.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && privateOrigins.includes(url.origin)))
    return reasons.addressNotHttps
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = (isIP(host) && !isPublicAddress(host)) || /(^|\.)localhost\.?$/.test(host)
  return isPrivate && !privateOrigins.includes(url.origin) ? reasons.addressPrivate : null
}

function isPointOnCurve(key: string): boolean {
  try {
    const bytes = Buffer.from(key, 'base64url')
    return bytes.length === 65 && ECDH.convertKey(bytes, 'prime256v1').length === 65
  } catch {
    return false
  }
}
