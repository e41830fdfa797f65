import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StorageAtHand, storageAtHand } from '../../../test/media.ts'
import { openDisk } from './disk.ts'
import { NotStored, StorageFailed } from './storage.ts'

let at: StorageAtHand
beforeEach(async () => {
  at = await storageAtHand()
})
afterEach(() => at.end())

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function put(bytes: Buffer): Promise<string> {
  const { path } = at.storage.temporary()
  await writeFile(path, bytes, { mode: 0o600 })
  await at.storage.put(path, hashOf(bytes))
  return hashOf(bytes)
}

describe('the disk storage', () => {
  it('gives back what was put, at the address its hash says, readable by the owner alone', async () => {
    const bytes = randomBytes(300_000)
    const sha256 = await put(bytes)
    expect(await at.bytesOf(sha256)).toEqual(bytes)
    const path = join(at.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await at.storage.has(sha256)).toBe(true)
    expect(await at.temporaries()).toEqual([])
  })

  it('keeps one file of equal bytes, however often and at once they are put', async () => {
    const bytes = randomBytes(1000)
    await Promise.all(Array.from({ length: 8 }, () => put(bytes)))
    expect(await at.hashes()).toEqual([hashOf(bytes)])
    expect(await at.temporaries()).toEqual([])
  })

  it('heals a rotten file and renews its age when the same bytes are put again', async () => {
    const bytes = randomBytes(1000)
    const sha256 = await put(bytes)
    const path = join(at.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    await writeFile(path, 'rot')
    await utimes(path, 0, 0)
    await put(bytes)
    expect(await at.bytesOf(sha256)).toEqual(bytes)
    const [file] = await Array.fromAsync(at.storage.stored())
    expect(file?.bytes).toBe(1000)
    expect(Date.now() - (file?.storedAt.getTime() ?? 0)).toBeLessThan(10_000)
  })

  it('opens a part of a file and tells its length', async () => {
    const sha256 = await put(Buffer.from('0123456789'))
    const part = await at.storage.open(sha256, { start: 3, end: 6 })
    expect(part.bytes).toBe(4)
    expect(Buffer.concat(await part.stream.toArray()).toString()).toBe('3456')
  })

  it('opens an empty file', async () => {
    const sha256 = await put(Buffer.alloc(0))
    expect(await at.bytesOf(sha256)).toEqual(Buffer.alloc(0))
  })

  it('says that a file is not stored, and removes twice without complaint', async () => {
    const sha256 = await put(Buffer.from('gone'))
    await at.storage.remove(sha256)
    await at.storage.remove(sha256)
    expect(await at.storage.has(sha256)).toBe(false)
    await expect(at.storage.open(sha256)).rejects.toBeInstanceOf(NotStored)
  })

  it.each(['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`, `${'a'.repeat(64)}\n`])(
    'takes %j for no address',
    async name => {
      await expect(at.storage.open(name)).rejects.toBeInstanceOf(NotStored)
      await expect(at.storage.put(at.storage.temporary().path, name)).rejects.toBeInstanceOf(NotStored)
    },
  )

  it('fails with StorageFailed and leaves nothing when the temporary is lost', async () => {
    await expect(at.storage.put(at.storage.temporary().path, 'a'.repeat(64))).rejects.toBeInstanceOf(StorageFailed)
    expect(await at.hashes()).toEqual([])
  })

  it('removes what a crash left half written, and nothing else, when it is opened', async () => {
    const sha256 = await put(Buffer.from('kept'))
    await writeFile(at.storage.temporary().path, 'half')
    expect(await at.temporaries()).toHaveLength(1)
    const again = await openDisk(at.directory)
    expect(await readdir(join(at.directory, 'tmp'))).toEqual([])
    expect(await again.has(sha256)).toBe(true)
  })
})
