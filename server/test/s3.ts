import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { openS3 } from '../src/platform/media/storage/s3.ts'
import { type S3Patience, s3ClientSettings } from '../src/platform/media/storage/s3-client.ts'
import { openTemporaries } from '../src/platform/media/storage/temporaries.ts'
import type { S3Place } from '../src/settings/storage-settings.ts'
import { keys } from './ceph.ts'
import { atHand, type StorageAtHand } from './media.ts'
import { newFolder } from './new-folder.ts'
import { s3 } from './tools.ts'

const bucket = 'afterglow'

/** A separate location on the run's S3 server. */
export const s3Place = async (): Promise<S3Place> => {
  const directory = inject('s3')
  if (!s3.path()) throw new Error(`S3 is tested with the Debian packages ${s3.packages}, which are missing.`)
  await writeFile(join(directory, 'wanted'), '')
  const endpoint = await answered(join(directory, 'answer'))
  const place = { bucket, prefix: randomUUID(), endpoint, region: 'us-east-1', pathStyle: true, keys }
  const client = new S3Client(s3ClientSettings(place))
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return place
}

const answered = async (path: string): Promise<string> => {
  for (let waited = 0; waited < 90_000; waited += 50) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text) {
      const { endpoint, fault } = JSON.parse(text)
      if (endpoint) return endpoint
      throw new Error(`The S3 server does not start: ${fault}`)
    }
    await sleep(50)
  }
  throw new Error('The S3 server does not start')
}

/** The settings for a location. */
export const envOf = ({ bucket, prefix, endpoint }: S3Place) => ({
  STORAGE: `s3://${bucket}/${prefix}?endpoint=${endpoint}&path_style=1`,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
})

/** A real storage on S3, in a location of its own. */
export const s3AtHand = async (given?: S3Place, waits?: S3Patience): Promise<StorageAtHand> => {
  const place = given ?? (await s3Place())
  const home = newFolder('media')
  const directory = join(home, 'media')
  const storage = await openS3(place, await openTemporaries(join(directory, 'tmp')), { ...(waits && { waits }) })
  return atHand({ storage, home, directory, end: () => rm(home, { recursive: true, force: true }) })
}
