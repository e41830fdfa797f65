import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 24

export type Signing = {
  newNonce(): Buffer
  /** In the form of Standard Webhooks, as receivers store it. */
  secretOf(nonce: Buffer): string
  /** The headers that a receiver verifies: over ID, time and body, signed with each of these. */
  headersOf(nonces: readonly Buffer[], id: string, body: string, now?: number): Record<string, string>
}

/** `key` is 32 random bytes belonging to the service. */
export const openSigning = (key: Uint8Array): Signing => {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'afterglow webhooks', 32))
  const keyOf = (nonce: Buffer) => createHmac('sha256', own).update(nonce).digest()
  return {
    newNonce: () => randomBytes(nonceBytes),
    secretOf: nonce => `whsec_${keyOf(nonce).toString('base64')}`,
    headersOf(nonces, id, body, now = Date.now()) {
      const timestamp = String(Math.floor(now / 1000))
      const signatures = nonces.map(nonce => {
        const mac = createHmac('sha256', keyOf(nonce)).update(`${id}.${timestamp}.${body}`)
        return `v1,${mac.digest('base64')}`
      })
      return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      }
    },
  }
}
