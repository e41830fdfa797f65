import { type PushService, type Reason, reasons } from '@afterglow/contract/reasons'
/**
 * The outcome of one push. `gone`: this address is dead; drop it and only it. `later`: retry, not before
 * `retryAfterSeconds` if given; `unanswered` if a host that anybody could have named said nothing. `refused`: our
 * configuration or message is at fault, so retrying cannot help. A reason is for the trace: it contains no token, key
 * or endpoint.
 */
export type Outcome =
  | { result: 'delivered' }
  | { result: 'gone'; reason: Reason }
  | { result: 'later'; reason: Reason; retryAfterSeconds?: number; unanswered?: true }
  | { result: 'refused'; reason: Reason }

export const delivered: Outcome = { result: 'delivered' }
export const gone = (reason: Reason): Outcome => ({ result: 'gone', reason })
export const refused = (reason: Reason): Outcome => ({ result: 'refused', reason })
export const later = (reason: Reason, retryAfterSeconds?: number): Outcome =>
  retryAfterSeconds === undefined ? { result: 'later', reason } : { result: 'later', reason, retryAfterSeconds }

/** The meaning of a status where the push services agree. */
export function outcomeOfStatus(who: PushService, status: number, retryAfter?: string): Outcome {
  if (status >= 200 && status < 300) return delivered
  if (status === 404 || status === 410) return gone(reasons.unknownDevice(who, status))
  if (status === 401 || status === 403) return refused(reasons.credentials(who, status))
  if (status === 408 || status === 429) return later(reasons.pause(who, status), retryAfterSeconds(retryAfter))
  if (status >= 500) return later(reasons.trouble(who, status), retryAfterSeconds(retryAfter))
  if (status === 413) return refused(reasons.tooLarge(who, status))
  if (status >= 300 && status < 400) return refused(reasons.elsewhere(who, status))
  return refused(reasons.misunderstood(who, status))
}

const dayInSeconds = 24 * 60 * 60

/**
 * The delay from a Retry-After header, which contains seconds or a date; at most a day, undefined if it makes no sense.
 */
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

const faults: Record<string, (who: PushService) => Reason> = {
  ECONNREFUSED: reasons.refusesConnections,
  ECONNRESET: reasons.broke,
  EPIPE: reasons.broke,
  ENOTFOUND: reasons.noSuchName,
  ENODATA: reasons.noSuchName,
  EAI_AGAIN: reasons.noNameNow,
  ETIMEOUT: reasons.noNameNow,
  ESERVFAIL: reasons.noNameNow,
  ETIMEDOUT: reasons.unreachable,
  EHOSTUNREACH: reasons.unreachable,
  ENETUNREACH: reasons.unreachable,
  CERT_HAS_EXPIRED: reasons.expiredCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: reasons.foreignCertificate,
}

/** A broken or unanswered exchange: nobody knows whether it arrived, and the ID lets clients drop a duplicate. */
export function outcomeOfFault(who: PushService, fault: unknown): Outcome {
  if (fault instanceof TooSlow) return later(reasons.tooSlow(who))
  const { code = '' } = fault as { code?: string }
  // OpenSSL has dozens of these (UNABLE_TO_…, SELF_SIGNED_CERT_IN_CHAIN, …).
  const unnamed = /CERT|UNABLE_TO/.test(code) ? reasons.untrustedCertificate : reasons.lost
  return later((faults[code] ?? unnamed)(who))
}
