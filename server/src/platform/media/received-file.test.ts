import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StorageAtHand, storageAtHand } from '../../../test/media.ts'
import { smallDisk } from '../../../test/small-disk.ts'
import { FileTooLarge, receive } from './received-file.ts'
import { openDisk } from './storage/disk.ts'

let at: StorageAtHand
beforeEach(async () => {
  at = await storageAtHand()
})
afterEach(() => at.end())

const chunksOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

describe('receiving a file', () => {
  it.each([0, 1, 65_536, 1024 * 1024, 5_000_001])('a received file has its %i bytes, length and hash', async length => {
    const bytes = randomBytes(length)
    const file = await receive(Readable.from(chunksOf(bytes, 60_000)), { bytesMax: length }, at.storage)
    expect(file.bytes).toBe(length)
    expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect((await readFile(file.path)).equals(bytes)).toBe(true)
    expect((await stat(file.path)).mode & 0o777).toBe(0o600)
    await file.remove()
    expect(await at.temporaries()).toEqual([])
  })

  it('a temporary that cannot be removed fails no request', async () => {
    const file = await receive(Readable.from([Buffer.from('bytes')]), { bytesMax: 5 }, at.storage)
    await unlink(file.path)
    // A directory cannot be unlinked, which simulates a disk that refuses.
    await mkdir(file.path)
    await expect(file.remove()).resolves.toBeUndefined()
  })

  it('a received file is whole if its bytes come one by one', async () => {
    const bytes = randomBytes(3000)
    const file = await receive(Readable.from(chunksOf(bytes, 1)), { bytesMax: 3000 }, at.storage)
    expect((await readFile(file.path)).equals(bytes)).toBe(true)
  })

  it('receiving stops at the first byte too many, reads no further and leaves nothing', async () => {
    let sent = 0
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += 65_536
          yield Buffer.alloc(65_536)
        }
      })(),
    )
    const failure = await receive(endless, { bytesMax: 1_000_000 }, at.storage).catch(error => error)
    expect(failure).toBeInstanceOf(FileTooLarge)
    const after = sent
    await pause(20)
    expect(sent).toBe(after)
    expect(sent).toBeLessThan(3_000_000)
    expect(endless.destroyed).toBe(false)
    expect(await at.temporaries()).toEqual([])
  })

  it.each([0, 1, 700_000, 2_500_000])('a client that leaves after %i bytes leaves no file', async length => {
    const stream = new PassThrough()
    stream.write(Buffer.alloc(length))
    const receiving = receive(stream, { bytesMax: 10_000_000 }, at.storage)
    setTimeout(() => stream.destroy(new Error('aborted')), 5)
    await expect(receiving).rejects.toThrow()
    expect(await at.temporaries()).toEqual([])
  })

  it('the process survives a stream that failed before anybody listened', async () => {
    const stream = new PassThrough()
    const receiving = receive(stream, { bytesMax: 10 }, at.storage)
    stream.destroy(new Error('aborted'))
    await expect(receiving).rejects.toThrow()
  })

  const small = smallDisk(1024 * 1024)
  it.skipIf(!small)('a full disk is reported and leaves nothing', async () => {
    const storage = await openDisk(join(small?.path ?? '', 'media'))
    const failure = await receive(Readable.from(chunksOf(randomBytes(4_000_000), 65_536)), { bytesMax: 1e9 }, storage)
      .then(() => null)
      .catch(error => error)
    expect(failure).toMatchObject({ name: 'StorageFailed', reason: 'full' })
    const fits = await receive(Readable.from([randomBytes(900_000)]), { bytesMax: 1e9 }, storage)
    await storage.put(fits.path, fits.sha256)
    expect(await storage.has(fits.sha256)).toBe(true)
  })
})
