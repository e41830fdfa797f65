import { crc32, deflateSync } from 'node:zlib'

// Signature and IHDR, which come first and have one length in every PNG.
const headBytes = 8 + 25

/** A PNG with this colour profile, for pixels whose profile came apart from them. */
export function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile, { level: 1 })])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length - 4)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([png.subarray(0, headBytes), length, content, check, png.subarray(headBytes)])
}
