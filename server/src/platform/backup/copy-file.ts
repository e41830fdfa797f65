import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sync } from '../process/durable-file.ts'

/** A file of a backup: its relative path, length and hash. */
export type BackedUpFile = { path: string; bytes: number; sha256: string }

const groupBytes = 1024 * 1024

/**
 * Copies one file, durably when this returns, and reports what was copied, even if the file has since changed. Throws
 * ENOENT if it is gone.
 */
export async function copyFile(from: string, into: string, path: string): Promise<BackedUpFile> {
  const source = await open(from, 'r')
  try {
    const to = join(into, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    const target = await open(to, 'wx', 0o600)
    try {
      const { bytes, sha256 } = await hashOf(source, chunk => target.writeFile(chunk))
      await target.sync()
      return { path, bytes, sha256 }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Length and hash of a file. */
export async function readKept(root: string, path: string): Promise<BackedUpFile> {
  const file = await open(join(root, path), 'r')
  try {
    return { path, ...(await hashOf(file)) }
  } finally {
    await file.close()
  }
}

async function hashOf(file: FileHandle, write?: (chunk: Buffer) => Promise<void>) {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(groupBytes)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, groupBytes, null)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    await write?.(chunk)
    bytes += bytesRead
  }
}

/** Makes the names in these directories durable. */
export async function syncDirectories(paths: Iterable<string>): Promise<void> {
  for (const path of paths) await sync(path)
}
