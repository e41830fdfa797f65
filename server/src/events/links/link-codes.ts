import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { shortCodeWords } from './short-code-words.ts'
import { alike } from './typed-codes.ts'

/*
 * The codes and PINs of join links. The database contains a hash of the code, and everything it was derived from except
 * the key: organizers can be shown the code again, but a database dump lets nobody in. The PIN is stored encrypted for
 * the same reason: four digits could be guessed from any hash. So can a short code, of which there is a keyed hash.
 */

const codeBytes = 16
const ivBytes = 12
const tagBytes = 16

export type LinkCodes = {
  newNonce(): Buffer
  /** 128 bits as 22 URL-safe characters. */
  codeOf(nonce: Buffer): string
  /** `LAKE-2106`, for typing; another one for each turn. */
  shortCodeOf(nonce: Buffer, turn: number): string
  /** By which a short code is found, however it was typed: see shortCodeIn. */
  shortMac(code: string): Buffer
  pinMac(nonce: Buffer, pin: string): Buffer
  /** Takes the same time for a wrong PIN as for the right one. */
  pinIs(link: { nonce: Buffer; pin_mac: Buffer | null }, pin: string | undefined): boolean
  sealPin(nonce: Buffer, pin: string): Buffer
  /** Null if none was stored, or if the secret that encrypted it is lost. */
  openPin(link: { nonce: Buffer; pin_sealed: Buffer | null }): string | null
}

/** The hash by which a code is found: comparing hashes reveals nothing about how much of a guess was right. */
export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest()

/** Numbers that some read as a slogan or a joke are left out. */
const numbers = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0')).filter(
  number => !/88|666|69|^19[34]/.test(number),
)

/** `secret` is 32 random bytes belonging to the service. */
export const openLinkCodes = (secret: Uint8Array): LinkCodes => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'afterglow join links', 32))
  const mac = (use: string, nonce: Buffer, more = '') =>
    createHmac('sha256', key)
      .update(`${use}\n${nonce.toString('hex')}\n${more}`)
      .digest()
  const pinKey = Buffer.from(hkdfSync('sha256', secret, '', 'afterglow link pins', 32))
  const pinMac = (nonce: Buffer, pin: string) => mac('pin', nonce, pin)
  return {
    newNonce: () => randomBytes(codeBytes),
    codeOf: nonce => mac('code', nonce).subarray(0, codeBytes).toString('base64url'),
    shortCodeOf: (nonce, turn) => {
      const bytes = mac('short', nonce, String(turn))
      const word = shortCodeWords[bytes.readUInt32BE(0) % shortCodeWords.length]
      return `${word}-${numbers[bytes.readUInt32BE(4) % numbers.length]}`
    },
    shortMac: code => mac('short code', Buffer.alloc(0), alike(code.replace('-', ''))),
    pinMac,
    pinIs: ({ nonce, pin_mac }, pin) =>
      pin_mac === null || (pin !== undefined && timingSafeEqual(pin_mac, pinMac(nonce, pin))),
    sealPin: (nonce, pin) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', pinKey, iv).setAAD(nonce)
      return Buffer.concat([iv, cipher.update(pin), cipher.final(), cipher.getAuthTag()])
    },
    openPin: ({ nonce, pin_sealed }) => {
      if (pin_sealed === null) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', pinKey, pin_sealed.subarray(0, ivBytes))
          .setAAD(nonce)
          .setAuthTag(pin_sealed.subarray(-tagBytes))
        return Buffer.concat([decipher.update(pin_sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString()
      } catch {
        return null
      }
    },
  }
}
