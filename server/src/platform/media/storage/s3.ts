import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import type { S3Place } from '../../../settings/storage-settings.ts'
import {
  demandBucket,
  giveUpOnSilence,
  patience,
  type S3Patience,
  StorageUnreachable,
  s3ClientSettings,
} from './s3-client.ts'
import { isMissing, s3Failure } from './s3-failure.ts'
import { putVerified } from './s3-put.ts'
import { demandAddress, isAddress, type Storage, type StoredFile } from './storage.ts'
import type { Temporaries } from './temporaries.ts'

/** A put holds up to two parts of 8 MiB in memory. */
const putsAtOnce = 4

const refuse: WhenUnreachable = fault => {
  throw fault
}

/** Called if a bucket does not answer when it is opened. */
export type WhenUnreachable = (fault: StorageUnreachable) => void

/**
 * Storage in a bucket: `<prefix>/files/<sha256>`, with temporaries on the local disk. Throws CannotStart if the bucket
 * cannot be used. The client is only loaded here, because it takes 30 MB.
 */
export async function openS3(
  place: S3Place,
  temporaries: Temporaries,
  { waits = patience, whenUnreachable = refuse }: { waits?: S3Patience; whenUnreachable?: WhenUnreachable } = {},
): Promise<Storage> {
  const { s3, client } = await connectTo(place, waits, whenUnreachable)
  const Bucket = place.bucket
  const folder = place.prefix ? `${place.prefix}/files/` : 'files/'
  const put = pLimit(putsAtOnce)

  const at = (sha256: string) => {
    demandAddress(sha256)
    return { Bucket, Key: folder + sha256 }
  }
  const find = async (sha256: string): Promise<StoredFile | null> => {
    try {
      const head = await client.send(new s3.HeadObjectCommand(at(sha256)))
      return { sha256, bytes: head.ContentLength ?? 0, storedAt: head.LastModified ?? new Date() }
    } catch (error) {
      if (isMissing(error)) return null
      throw s3Failure(error)
    }
  }

  return {
    temporary: temporaries.fresh,

    async put(temporaryPath, sha256) {
      try {
        const file = { client, ...at(sha256) }
        await asked(put(() => putVerified(temporaryPath, sha256, file)))
      } finally {
        await rm(temporaryPath, { force: true }).catch(() => {})
      }
    },

    async open(sha256, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const request = new s3.GetObjectCommand({ ...at(sha256), ...(Range && { Range }) })
      try {
        const { Body, ContentLength = 0 } = await client.send(request)
        return { stream: Body as Readable, bytes: ContentLength }
      } catch (error) {
        if ((error as Error).name === 'InvalidRange') return { stream: Readable.from([]), bytes: 0 }
        throw s3Failure(error)
      }
    },

    find,
    has: async sha256 => (await find(sha256)) !== null,

    async remove(sha256) {
      await asked(client.send(new s3.DeleteObjectCommand(at(sha256))))
    },

    async *stored() {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: folder })
      try {
        for await (const { Contents = [] } of pages) for (const file of Contents) yield* storedFile(file, folder)
      } catch (error) {
        throw s3Failure(error)
      }
    },

    async dropUnfinished(before) {
      const { Uploads = [] } = await asked(client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: folder })))
      const left = Uploads.filter(({ Initiated }) => Initiated && Initiated < before)
      for (const { Key, UploadId } of left)
        await asked(client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
      return left.length + (await temporaries.dropOlderThan(before))
    },

    close: () => client.destroy(),
  }
}

const connectTo = async (place: S3Place, waits: S3Patience, whenUnreachable: WhenUnreachable) => {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client(s3ClientSettings(place, waits))
  giveUpOnSilence(client)
  await demandBucket(client, place).catch((fault: unknown) => {
    if (!(fault instanceof StorageUnreachable)) throw fault
    whenUnreachable(fault)
  })
  return { s3, client }
}

const asked = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (error) {
    throw s3Failure(error)
  }
}

function* storedFile({ Key = '', Size = 0, LastModified = new Date() }, folder: string): Generator<StoredFile> {
  const sha256 = Key.slice(folder.length)
  if (isAddress(sha256)) yield { sha256, bytes: Size, storedAt: LastModified }
}
