import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { needing } from '../../../../test/needing.ts'
import { s3AtHand } from '../../../../test/s3.ts'
import { s3 } from '../../../../test/tools.ts'
import { NotStored, StorageFailed } from './storage.ts'

const MiB = 1024 * 1024
const kinds = [
  { kind: 'disk', tools: [], open: storageAtHand },
  { kind: 'S3', tools: [s3], open: () => s3AtHand() },
]

for (const { kind, tools, open } of kinds)
  needing(...tools).describe(`a storage on ${kind}`, () => {
    let at: StorageAtHand
    beforeEach(async () => {
      at = await open()
    })
    afterEach(() => at.end())

    it.each([0, 1, 300_000, 8 * MiB, 8 * MiB + 1, 20 * MiB])(
      'a stored file of %i bytes is read back unchanged',
      async length => {
        const bytes = randomBytes(length)
        const sha256 = await at.put(bytes)
        expect((await at.bytesOf(sha256)).equals(bytes)).toBe(true)
        expect(await at.storage.has(sha256)).toBe(true)
        expect(await at.storage.find(sha256)).toMatchObject({ sha256, bytes: length })
        expect(await at.temporaries()).toEqual([])
      },
    )

    it('equal bytes are one file, however often and concurrently they are put', async () => {
      const bytes = randomBytes(1000)
      const put = await Promise.all(Array.from({ length: 8 }, () => at.put(bytes)))
      expect(new Set(await at.hashes())).toEqual(new Set(put))
      expect(await at.hashes()).toHaveLength(1)
      expect(await at.temporaries()).toEqual([])
    })

    it('a second put of the same bytes resets the file’s age', async () => {
      const bytes = randomBytes(1000)
      const first = await at.storage.find(await at.put(bytes))
      // S3 tells whole seconds.
      await sleep(kind === 'S3' ? 1100 : 20)
      const second = await at.storage.find(await at.put(bytes))
      expect(second?.storedAt.getTime()).toBeGreaterThan(first?.storedAt.getTime() ?? Number.POSITIVE_INFINITY)
    })

    it('a part of a file can be opened, with its length', async () => {
      const sha256 = await at.put(Buffer.from('0123456789'))
      const read = async (start: number, end: number) => {
        const part = await at.storage.open(sha256, { start, end })
        return { bytes: part.bytes, text: Buffer.concat(await part.stream.toArray()).toString() }
      }
      expect(await read(3, 6)).toEqual({ bytes: 4, text: '3456' })
      expect(await read(0, 0)).toEqual({ bytes: 1, text: '0' })
      expect(await read(8, 20)).toEqual({ bytes: 2, text: '89' })
    })

    it('a missing file is reported as not stored, and removing it is no error', async () => {
      const sha256 = await at.put(Buffer.from('gone'))
      await at.storage.remove(sha256)
      await at.storage.remove(sha256)
      expect(await at.storage.has(sha256)).toBe(false)
      expect(await at.storage.find(sha256)).toBe(null)
      await expect(at.storage.open(sha256)).rejects.toBeInstanceOf(NotStored)
      expect(await at.hashes()).toEqual([])
    })

    it('every stored file is listed with its hash, length and age', async () => {
      const before = Date.now()
      const put = await Promise.all([1, 2, 3].map(bytes => at.put(Buffer.alloc(bytes, bytes))))
      const stored = await Array.fromAsync(at.storage.stored())
      expect(stored.map(({ sha256 }) => sha256).sort()).toEqual(put.sort())
      expect(stored.map(({ bytes }) => bytes).sort()).toEqual([1, 2, 3])
      for (const { storedAt } of stored) expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(60_000)
    })

    it.each(['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`, `${'a'.repeat(64)}\n`])(
      '%j is refused as an address',
      async name => {
        await expect(at.storage.open(name)).rejects.toBeInstanceOf(NotStored)
        const { path } = at.storage.temporary()
        await writeFile(path, 'x')
        await expect(at.storage.put(path, name)).rejects.toBeInstanceOf(NotStored)
        expect(await at.temporaries()).toEqual([])
      },
    )

    it('a put fails with StorageFailed and leaves nothing when the temporary is lost', async () => {
      await expect(at.storage.put(at.storage.temporary().path, 'a'.repeat(64))).rejects.toBeInstanceOf(StorageFailed)
      expect(await at.hashes()).toEqual([])
    })

    it('old temporaries are dropped, and no others', async () => {
      await writeFile(at.storage.temporary().path, 'left')
      expect(await at.storage.dropUnfinished(new Date(Date.now() - 60_000))).toBe(0)
      expect(await at.storage.dropUnfinished(new Date(Date.now() + 60_000))).toBe(1)
      expect(await at.temporaries()).toEqual([])
    })
  })
