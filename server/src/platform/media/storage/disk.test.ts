import { randomBytes } from 'node:crypto'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { openDisk } from './disk.ts'

/* Faults that only a disk has; storage.test.ts has the rest. */

let at: StorageAtHand
beforeEach(async () => {
  at = await storageAtHand()
})
afterEach(() => at.end())

const pathOf = (sha256: string) => join(at.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256)

describe('the disk storage', () => {
  it('a file is stored at the address of its hash, readable by the owner alone', async () => {
    expect((await stat(pathOf(await at.put(randomBytes(1000))))).mode & 0o777).toBe(0o600)
  })

  it('a second put of the same bytes heals a rotten file and renews its age', async () => {
    const bytes = randomBytes(1000)
    const sha256 = await at.put(bytes)
    await writeFile(pathOf(sha256), 'rot')
    await utimes(pathOf(sha256), 0, 0)
    await at.put(bytes)
    expect(await at.bytesOf(sha256)).toEqual(bytes)
    const [file] = await Array.fromAsync(at.storage.stored())
    expect(file?.bytes).toBe(1000)
    expect(Date.now() - (file?.storedAt.getTime() ?? 0)).toBeLessThan(10_000)
  })

  it('a file’s age counts from its put, not from when its bytes came', async () => {
    const { path } = at.storage.temporary()
    await writeFile(path, 'slow')
    await utimes(path, 0, 0)
    await at.storage.put(path, 'b'.repeat(64))
    const found = await at.storage.find('b'.repeat(64))
    expect(Date.now() - (found?.storedAt.getTime() ?? 0)).toBeLessThan(10_000)
  })

  it('opening the storage removes what a crash left half written, and nothing else', async () => {
    const sha256 = await at.put(Buffer.from('kept'))
    await writeFile(at.storage.temporary().path, 'half')
    expect(await at.temporaries()).toHaveLength(1)
    const again = await openDisk(at.directory)
    expect(await readdir(join(at.directory, 'tmp'))).toEqual([])
    expect(await again.has(sha256)).toBe(true)
  })
})
