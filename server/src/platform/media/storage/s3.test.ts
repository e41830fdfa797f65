import { randomBytes } from 'node:crypto'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keys } from '../../../../test/ceph.ts'
import type { StorageAtHand } from '../../../../test/media.ts'
import { needing } from '../../../../test/needing.ts'
import { newFolder } from '../../../../test/new-folder.ts'
import { s3AtHand, s3Place } from '../../../../test/s3.ts'
import { type Fault, type FaultyS3, openProxy } from '../../../../test/s3-proxy.ts'
import { s3 } from '../../../../test/tools.ts'
import type { S3Place } from '../../../settings/storage-settings.ts'
import { openS3 } from './s3.ts'
import { s3ClientSettings } from './s3-client.ts'
import { StorageFailed } from './storage.ts'
import { openTemporaries } from './temporaries.ts'

const MiB = 1024 * 1024
const waits = { silenceMs: 1500, attempts: 3 }
const hasty = { silenceMs: 300, attempts: 2 }
const home = newFolder('s3')

needing(s3).describe('the S3 storage', () => {
  let place: S3Place
  let proxy: FaultyS3
  let at: StorageAtHand
  /** Waits for nothing that hangs. */
  let atOnce: StorageAtHand
  beforeAll(async () => {
    place = await s3Place()
    proxy = await openProxy(place.endpoint as string)
    at = await s3AtHand({ ...place, endpoint: proxy.endpoint }, waits)
    atOnce = await s3AtHand({ ...place, endpoint: proxy.endpoint }, hasty)
  })
  beforeEach(() => proxy.heal())
  afterAll(async () => {
    await at.end()
    await atOnce.end()
    await proxy.close()
  })

  it.each<[Fault, string]>([
    ['refuse', 'PUT'],
    ['hang', 'PUT'],
    ['storedButLost', 'PUT'],
    ['cut', 'PUT'],
    ['flip', 'PUT'],
    ['lie', 'PUT'],
    ['slow', 'PUT'],
    ['refuse', 'HEAD'],
    ['hang', 'HEAD'],
  ])('a put survives one %s of a %s', async (fault, method) => {
    const bytes = randomBytes(200_000)
    proxy.fail(fault, 1, method)
    const sha256 = await at.put(bytes)
    expect((await at.bytesOf(sha256)).equals(bytes)).toBe(true)
    expect(await at.temporaries()).toEqual([])
  })

  it.each<Fault>(['refuse', 'storedButLost', 'flip', 'cut'])(
    'a put of a file in several parts survives a %s',
    async fault => {
      const bytes = randomBytes(9 * MiB)
      proxy.fail(fault, 1, 'PUT')
      const sha256 = await at.put(bytes)
      expect((await at.bytesOf(sha256)).equals(bytes)).toBe(true)
    },
  )

  it.each<Fault>(['refuse', 'hang', 'storedButLost', 'cut', 'flip', 'lie', 'full'])(
    'a put is refused in time if S3 always answers with a %s, leaves no temporary, and works afterwards',
    async fault => {
      const bytes = randomBytes(100_000)
      proxy.fail(fault, 1000, 'PUT')
      const failure = await atOnce.put(bytes).catch(error => error)
      expect(failure).toBeInstanceOf(StorageFailed)
      expect(failure.reason).toBe(fault === 'full' ? 'full' : 'failing')
      expect(await atOnce.temporaries()).toEqual([])
      proxy.heal()
      await at.bytesOf(await at.put(bytes))
    },
  )

  it('a put does not trust S3’s word for what it stored', async () => {
    proxy.fail('lie', 1000)
    await expect(at.put(randomBytes(1000))).rejects.toBeInstanceOf(StorageFailed)
  })

  it.each<Fault>(['refuse', 'hang'])(
    'a read fails, and calls no file missing, when S3 always answers with a %s',
    async fault => {
      const sha256 = await at.put(randomBytes(1000))
      proxy.fail(fault, 1000)
      await expect(atOnce.storage.open(sha256)).rejects.toBeInstanceOf(StorageFailed)
      await expect(atOnce.storage.find(sha256)).rejects.toBeInstanceOf(StorageFailed)
      await expect(Array.fromAsync(atOnce.storage.stored())).rejects.toBeInstanceOf(StorageFailed)
    },
  )

  it('parts that a crash has left are dropped, and only those of files', async () => {
    const everything = new Date(Date.now() + 3_600_000)
    // Removes leftovers of the failures in the tests above.
    await at.storage.dropUnfinished(everything)
    const client = new S3Client(s3ClientSettings(place))
    const begin = (Key: string) => client.send(new CreateMultipartUploadCommand({ Bucket: place.bucket, Key }))
    await begin(`${place.prefix}/files/${'a'.repeat(64)}`)
    await begin(`${place.prefix}/sessions/1`)
    client.destroy()
    expect(await at.storage.dropUnfinished(new Date(Date.now() - 3_600_000))).toBe(0)
    expect(await at.storage.dropUnfinished(everything)).toBe(1)
  })

  it('an unusable bucket is explained in one sentence', async () => {
    const open = async (changes: Partial<S3Place>) =>
      openS3({ ...place, ...changes }, await openTemporaries(home), { waits: { silenceMs: 1000, attempts: 1 } }).catch(
        ({ name, message }) => `${name}: ${message}`,
      )
    const where = `CannotStart: The storage s3://${place.bucket} at ${place.endpoint}`
    expect(await open({ keys: { ...keys, secretAccessKey: 'wrong' } })).toBe(
      `${where} refuses the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    )
    expect(await open({ bucket: 'nobody-made-this' })).toBe(
      `CannotStart: The storage s3://nobody-made-this at ${place.endpoint} does not exist: STORAGE names it.`,
    )
    expect(await open({ endpoint: 'http://127.0.0.1:1' })).toBe(
      `CannotStart: The storage s3://${place.bucket} at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1.`,
    )
  })
})
