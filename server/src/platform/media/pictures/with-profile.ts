import { crc32, deflateSync } from 'node:zlib'

// Signature and IHDR, which come first and have the same length in every PNG.
const headBytes = 8 + 25

/** A PNG with this colour profile, for pixels whose profile came separately. */
export function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile, { level: 1 })])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length - 4)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([png.subarray(0, headBytes), length, content, check, png.subarray(headBytes)])
}

const profileName = Buffer.from('ICC_PROFILE\0')
const partBytes = 65_533 - profileName.length - 2

/** The same for a JPEG as our encoder writes it, whose second segment follows JFIF's. */
export function withJpegProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const headEnd = 4 + jpeg.readUInt16BE(4)
  const count = Math.ceil(profile.length / partBytes)
  const parts = Array.from({ length: count }, (_, n) => {
    const part = profile.subarray(n * partBytes, (n + 1) * partBytes)
    const head = Buffer.from([0xff, 0xe2, 0, 0])
    head.writeUInt16BE(2 + profileName.length + 2 + part.length, 2)
    return Buffer.concat([head, profileName, Buffer.from([n + 1, count]), part])
  })
  return Buffer.concat([jpeg.subarray(0, headEnd), ...parts, jpeg.subarray(headEnd)])
}
