import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** How a file is identified: its address, and the checksum that a zip needs before the bytes. */
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

/** Reads a file once with a single buffer: a stream's chunks become garbage faster than they are collected. */
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
