import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/**
 * A browser's side of a push subscription: RFC 8291 and RFC 8188 written from the standards, without the server's
 * library.
 */
export function openBrowser() {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys()
  const auth = randomBytes(16)

  return {
    p256dh: publicKey.toString('base64url'),
    auth: auth.toString('base64url'),
    /** Throws unless the body is one whole aes128gcm record for this browser. */
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const recordSize = body.readUInt32BE(16)
      const senderKey = body.subarray(21, 21 + body.readUInt8(20))
      const record = body.subarray(21 + senderKey.length)
      if (senderKey.length !== 65 || record.length > recordSize) throw new Error('not one record of Web Push')

      const shared = keys.computeSecret(senderKey)
      const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const secret = derive(shared, auth, keyInfo, 32)
      const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

      const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const delimiter = padded.findLastIndex(byte => byte !== 0)
      if (padded[delimiter] !== 2) throw new Error('not the last record')
      return padded.subarray(0, delimiter).toString('utf8')
    },
  }
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
