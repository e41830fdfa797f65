import { hash } from 'node:crypto'

const blockBytes = 64
const hashBytes = 32
const textBytesMax = 1024

/**
 * HMAC-SHA256 of short texts, in base64url. Two calls of `hash`, as RFC 2104 defines it, take 0.6 µs, and an object of
 * `createHmac` 1.3; a page of photos has a hundred signed URLs.
 */
export function openHmac(key: Uint8Array): (text: string) => string {
  if (key.length > blockBytes) throw new RangeError(`a key has at most ${blockBytes} bytes`)
  const inner = Buffer.alloc(blockBytes + textBytesMax)
  const outer = Buffer.alloc(blockBytes + hashBytes)
  for (let at = 0; at < blockBytes; at++) {
    const byte = key[at] ?? 0
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  const startOfInner: Buffer[] = []
  return text => {
    if (text.length * 3 > textBytesMax) throw new RangeError(`a text has at most ${textBytesMax} bytes`)
    const end = blockBytes + inner.write(text, blockBytes)
    startOfInner[end] ??= inner.subarray(0, end)
    outer.write(hash('sha256', startOfInner[end], 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}
