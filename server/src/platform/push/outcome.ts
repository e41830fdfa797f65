/**
 * What became of one push. `gone`: this address is dead, drop it and only it. `later`: try again, not before
 * `retryAfterSeconds` if given. `refused`: our configuration or our message is at fault, so trying again cannot help.
 * A reason is a sentence for the trace: it names no token, key or endpoint.
 */
export type Outcome =
  | { result: 'delivered' }
  | { result: 'gone'; reason: string }
  | { result: 'later'; reason: string; retryAfterSeconds?: number }
  | { result: 'refused'; reason: string }

export const delivered: Outcome = { result: 'delivered' }
export const gone = (reason: string): Outcome => ({ result: 'gone', reason })
export const refused = (reason: string): Outcome => ({ result: 'refused', reason })
export const later = (reason: string, retryAfterSeconds?: number): Outcome =>
  retryAfterSeconds === undefined ? { result: 'later', reason } : { result: 'later', reason, retryAfterSeconds }

/** What a status means where the push services agree; `who` begins the sentence. */
export function outcomeOfStatus(who: string, status: number, retryAfter?: string): Outcome {
  if (status >= 200 && status < 300) return delivered
  if (status === 404 || status === 410) return gone(`${who} no longer knows this device (${status})`)
  if (status === 401 || status === 403) return refused(`${who} does not accept this server's credentials (${status})`)
  if (status === 408 || status === 429)
    return later(`${who} asks for a pause (${status})`, retryAfterSeconds(retryAfter))
  if (status >= 500) return later(`${who} is in trouble (${status})`, retryAfterSeconds(retryAfter))
  if (status === 413) return refused(`${who} finds the message too large (${status})`)
  if (status >= 300 && status < 400) return refused(`${who} points elsewhere, which is not followed (${status})`)
  return refused(`${who} does not understand the message (${status})`)
}

const dayInSeconds = 24 * 60 * 60

/** Seconds to wait by a Retry-After header, which holds seconds or a date; at most a day, undefined without a sense. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? ''
  // Date.parse alone would read "-5" or "1.5" as a year.
  const isDate = /^[A-Z][a-z]{2,8},? .*GMT$/.test(text)
  const seconds = /^\d{1,15}$/.test(text)
    ? Number(text)
    : isDate
      ? Math.ceil((Date.parse(text) - now) / 1000)
      : Number.NaN
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), dayInSeconds)
}

/** The service did not answer in time. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

const faults: Record<string, string> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'broke the connection',
  EPIPE: 'broke the connection',
  ENOTFOUND: 'cannot be found by its name',
  ENODATA: 'cannot be found by its name',
  EAI_AGAIN: 'cannot be found by its name at the moment',
  ETIMEOUT: 'cannot be found by its name at the moment',
  ESERVFAIL: 'cannot be found by its name at the moment',
  ETIMEDOUT: 'cannot be reached',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  CERT_HAS_EXPIRED: 'shows an expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of somebody else',
}

/** What a broken or unanswered exchange means: nobody knows whether it arrived, and the id lets clients drop a twin. */
export function outcomeOfFault(who: string, fault: unknown): Outcome {
  if (fault instanceof TooSlow) return later(`${who} did not answer in time`)
  const { code = '' } = fault as { code?: string }
  // OpenSSL has dozens of these (UNABLE_TO_…, SELF_SIGNED_CERT_IN_CHAIN, …).
  const word = faults[code] ?? (/CERT|UNABLE_TO/.test(code) ? 'shows a certificate nobody vouches for' : undefined)
  return later(`${who} ${word ?? 'lost the connection'}`)
}
