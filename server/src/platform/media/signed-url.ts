import { timingSafeEqual } from 'node:crypto'
import { openHmac } from './hmac.ts'

/**
 * `epoch` is the event's media epoch: raising it invalidates every URL signed before. `held`: it opens only together
 * with the proof of its holder.
 */
export type SignedMedia = { object: number; variant: string; epoch: number; held?: boolean }

/** `h`: the holder. `w`: the maximum width in pixels; `as`: a format that the client shows. Neither is signed. */
export type MediaQuery = { e?: unknown; k?: unknown; s?: unknown; h?: unknown; w?: unknown; as?: unknown }

/** Somebody, until their sessions end (`users.link_epoch`). */
export type Holder = { userId: number; linkEpoch: number }

type Plausible = MediaQuery & { e: string; k: string; s: string }

export type Signer = {
  /**
   * Path and query without a leading slash: `media/12/display.jpg?e=…&k=…&s=…`. The same string for six hours. The
   * extension tells clients the type and is not signed; older URLs have none.
   */
  sign(media: SignedMedia & { ending?: string | undefined }, now?: number): string
  /** The suffix of every held URL given to somebody: `&h=7-0-…`. The same until their sessions end. */
  holding(holder: Holder): string
  /** The proven holder of a URL. */
  holderIn(query: MediaQuery): Holder | undefined
  /** Tells whether a query could be ours and has not expired; costs no lookup. A true answer proves nothing yet. */
  plausible(query: MediaQuery, now?: number): query is Plausible
  verify(media: SignedMedia, query: MediaQuery, now?: number): boolean
}

/** 128 bits. */
const proofLength = 22
const heldBy = /^([1-9][0-9]{0,14})-(0|[1-9][0-9]{0,9})-([A-Za-z0-9_-]{22})$/
const windowMs = 6 * 60 * 60 * 1000
/**
 * Signs media URLs with `key` (32 random bytes), named by `id` in the URL. Expiries are aligned to six-hour windows, so
 * a URL lives between 6 and 12 hours. Times are milliseconds since 1970.
 */
export function openSigner({ id, key }: { id: string; key: Uint8Array }): Signer {
  const hmac = openHmac(key)
  const signature = ({ object, variant, epoch, held }: SignedMedia, expiry: number | string) =>
    hmac(`media\n${object}\n${variant}\n${expiry}\n${id}\n${epoch}${held ? '\nheld' : ''}`)
  const proofOf = ({ userId, linkEpoch }: Holder) =>
    hmac(`holder\n${userId}\n${linkEpoch}\n${id}`).slice(0, proofLength)

  function plausible(query: MediaQuery, now = Date.now()): query is Plausible {
    const { e, k, s } = query
    return typeof e === 'string' && /^[1-9][0-9]{9,11}$/.test(e) && Number(e) * 1000 > now && k === id && isSignature(s)
  }

  return {
    sign(media, now = Date.now()) {
      const expiry = ((Math.floor(now / windowMs) + 2) * windowMs) / 1000
      const name = media.ending ? `${media.variant}.${media.ending}` : media.variant
      return `media/${media.object}/${name}?e=${expiry}&k=${id}&s=${signature(media, expiry)}`
    },

    holding: holder => `&h=${holder.userId}-${holder.linkEpoch}-${proofOf(holder)}`,

    holderIn({ h }) {
      const named = typeof h === 'string' ? heldBy.exec(h) : null
      if (!named) return undefined
      const [, userId, linkEpoch, proof = ''] = named
      const holder = { userId: Number(userId), linkEpoch: Number(linkEpoch) }
      return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(holder))) ? holder : undefined
    },

    plausible,

    // Compared as text: several texts decode to the same bytes, and only one of them is ours.
    verify(media, query, now) {
      return plausible(query, now) && timingSafeEqual(Buffer.from(query.s), Buffer.from(signature(media, query.e)))
    },
  }
}

// 32 bytes in base64url; every character is one byte, as timingSafeEqual requires.
const isSignature = (s: unknown): s is string => typeof s === 'string' && /^[A-Za-z0-9_-]{43}$/.test(s)
