import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** What a file is known by: its address, and the sum that a zip wants before the bytes. */
export type Sums = { bytes: number; sha256: string; crc32: number }

export type Summing = { add(chunk: Buffer): void; end(): Sums }

export const startSums = (): Summing => {
  const hash = createHash('sha256')
  let sum = 0
  let bytes = 0
  return {
    add(chunk) {
      hash.update(chunk)
      sum = crc32(chunk, sum)
      bytes += chunk.length
    },
    end: () => ({ bytes, sha256: hash.digest('hex'), crc32: sum }),
  }
}

const readBytes = 256 * 1024

/** Reads a file once. One buffer for all of it: a stream's would be garbage faster than it is collected. */
export const sumFile = async (path: string): Promise<Sums> => {
  const sums = startSums()
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, readBytes)
      if (bytesRead === 0) return sums.end()
      sums.add(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
