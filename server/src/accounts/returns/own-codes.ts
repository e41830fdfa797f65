import { createHmac, hkdfSync } from 'node:crypto'

/*
 * The code that a guest keeps to come back by. The database contains a hash of it, and everything it was derived from
 * except the key: its owner can be shown it again, but a database dump lets nobody in.
 */

/** Without those that paper and handwriting confuse most (0, O, 1, I, L, U): 98 bits in twenty. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const length = 20
const perGroup = 5

export type OwnCodes = { codeOf(nonce: Buffer): string }

/** `secret` is 32 random bytes belonging to the service. */
export const openOwnCodes = (secret: Uint8Array): OwnCodes => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'afterglow own codes', 32))
  return {
    codeOf: nonce =>
      [...createHmac('sha256', key).update(nonce).digest().subarray(0, length)]
        .map((byte, at) => `${at > 0 && at % perGroup === 0 ? '-' : ''}${letters[byte % letters.length]}`)
        .join(''),
  }
}
