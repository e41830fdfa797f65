import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeadObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { SilentBucket } from './s3-client.ts'
import { isMissing } from './s3-failure.ts'
import { StorageFailed, storageFailure } from './storage.ts'

export type S3File = { client: S3Client; Bucket: string; Key: string }

/**
 * Up to this size a file is sent in one request, above it in parts of this length; S3 accepts at most 10 000 of them.
 */
const partBytes = 8 * 1024 * 1024
const tries = 2
const betweenTriesMs = 500
/** The deadline of a whole put: this, plus a minute for every 32 MiB. */
const putMs = 120_000
const putMsAByte = 60_000 / (32 * 1024 * 1024)

/** The expected identity of a local file on S3: its hash, and the tag that S3 computes for these bytes in our parts. */
type Local = { bytes: number; sha256: string; etag: string }

/**
 * Puts a local file at a key and asks S3 what it received before returning. Equal bytes may exist there already or be
 * put concurrently: a put replaces a file with its equal. Throws `StorageFailed` or what the client throws.
 */
export async function putVerified(path: string, sha256: string, file: S3File): Promise<void> {
  const local = await digest(path)
  if (local.sha256 !== sha256)
    throw new StorageFailed('failing', new Error('The file has changed since it was hashed.'))
  const late = AbortSignal.timeout(putMs + Math.ceil(local.bytes * putMsAByte))
  for (let attempt = 1; ; attempt++) {
    try {
      await (local.bytes > partBytes ? putParts : putWhole)(path, local, file, late)
      if (await isStored(local, file, late)) return
      throw new StorageFailed('failing', new Error('S3 holds other bytes than were put.'))
    } catch (error) {
      if (attempt === tries || late.aborted || error instanceof SilentBucket) throw error
      await sleep(betweenTriesMs)
    }
  }
}

async function digest(path: string): Promise<Local> {
  const sha256 = createHash('sha256')
  const parts: Buffer[] = []
  let part = createHash('md5')
  let bytes = 0
  try {
    // A part is a multiple of the chunk size.
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      sha256.update(chunk)
      part.update(chunk)
      bytes += chunk.length
      if (bytes % partBytes !== 0) continue
      parts.push(part.digest())
      part = createHash('md5')
    }
  } catch (error) {
    throw storageFailure(error)
  }
  if (bytes === 0 || bytes % partBytes !== 0) parts.push(part.digest())
  const [first] = parts as [Buffer, ...Buffer[]]
  const ofParts = () => `${createHash('md5').update(Buffer.concat(parts)).digest('hex')}-${parts.length}`
  return { bytes, sha256: sha256.digest('hex'), etag: bytes > partBytes ? ofParts() : first.toString('hex') }
}

/** S3 rejects a body that does not match the checksum in its header, which is the address, or in its signature. */
async function putWhole(path: string, { sha256, bytes }: Local, { client, Bucket, Key }: S3File, late: AbortSignal) {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3')
  const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
  const Body = await readFile(path)
  await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: bytes, ChecksumSHA256 }), {
    abortSignal: late,
  })
}

async function putParts(path: string, { bytes }: Local, { client, Bucket, Key }: S3File, late: AbortSignal) {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const Body = createReadStream(path, { highWaterMark: 256 * 1024 })
  const upload = new Upload({
    client,
    params: { Bucket, Key, Body, ContentLength: bytes },
    partSize: partBytes,
    queueSize: 2,
    // Asking a failed bucket to forget them takes as long again; old ones are dropped at night.
    leavePartsOnError: true,
  })
  const abort = () => void upload.abort()
  late.addEventListener('abort', abort)
  try {
    await upload.done()
  } finally {
    late.removeEventListener('abort', abort)
    Body.destroy()
  }
}

async function isStored(local: Local, { client, Bucket, Key }: S3File, late: AbortSignal): Promise<boolean> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
  const asked = client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }), { abortSignal: late })
  const head = await asked.catch(error => {
    if (isMissing(error)) return null
    throw error
  })
  if (head?.ContentLength !== local.bytes) return false
  return vouches(head, local) || readsBack(local, { client, Bucket, Key }, late)
}

const vouches = ({ ETag, ChecksumSHA256 }: HeadObjectCommandOutput, { etag, sha256 }: Local) =>
  ETag?.replaceAll('"', '') === etag || ChecksumSHA256 === Buffer.from(sha256, 'hex').toString('base64')

/** If files are encrypted by a key service, or tags are not MD5 sums, only the bytes themselves tell. */
async function readsBack({ sha256 }: Local, { client, Bucket, Key }: S3File, late: AbortSignal): Promise<boolean> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal: late })
  const hash = createHash('sha256')
  for await (const chunk of Body as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex') === sha256
}
