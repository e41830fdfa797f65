import { createECDH } from 'node:crypto'
import webPush from 'web-push'
import { z } from 'zod'

/**
 * The key pair by which push services know this server, in base64url: 65 bytes public (clients subscribe with it), 32
 * private.
 */
export type VapidKeys = { publicKey: string; privateKey: string }

const base64url = z.string().regex(/^[\w-]+$/)

/** The stored form; keys that do not belong together are not a pair, because every push with them would be refused. */
export const vapidKeysShape = z
  .object({ publicKey: base64url, privateKey: base64url })
  .refine(({ publicKey, privateKey }) => publicKeyOf(privateKey) === publicKey, 'not a pair of VAPID keys')

/** A fresh pair. Replacing a pair loses every subscription made with it. */
export const newVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys()

function publicKeyOf(privateKey: string): string | null {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return curve.getPublicKey('base64url')
  } catch {
    return null
  }
}
