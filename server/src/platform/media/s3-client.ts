import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Place } from '../../storage-settings.ts'
import { CannotStart } from '../cannot-start.ts'
import { rootCause } from '../root-cause.ts'

/** How long S3 may take, in milliseconds: until it answers one attempt, and without a byte. The waits of tests are shorter. */
export type S3Patience = { attemptMs: number; attempts: number }
export const patience: S3Patience = { attemptMs: 30_000, attempts: 4 }

/** What a client of this bucket is made with; the bucket is named beside, as some makers want it. */
export const s3ClientSettings = (
  { bucket, region, endpoint, pathStyle, accessKeyId, secretAccessKey }: S3Place,
  { attemptMs, attempts }: S3Patience = patience,
): S3ClientConfig & { bucket: string } => ({
  bucket,
  region,
  ...(endpoint !== null && { endpoint }),
  forcePathStyle: pathStyle,
  credentials: { accessKeyId, secretAccessKey },
  // Many servers that speak S3 refuse the checksums that Amazon added late; we bring our own.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: attempts,
  requestHandler: {
    connectionTimeout: 3000,
    requestTimeout: attemptMs,
    throwOnRequestTimeout: true,
    socketTimeout: attemptMs,
  },
})

/** Throws CannotStart with a sentence when the bucket cannot be reached, is not there, or is not ours. */
export async function demandBucket(client: S3Client, place: S3Place): Promise<void> {
  const { HeadBucketCommand } = await import('@aws-sdk/client-s3')
  const where = `The storage s3://${place.bucket}${place.endpoint === null ? '' : ` at ${place.endpoint}`}`
  try {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket }))
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
    if (status === 404) throw new CannotStart(`${where} does not exist: STORAGE names it.`)
    if (status === 401 || status === 403)
      throw new CannotStart(`${where} refuses the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
    if (status === 301 || status === 400)
      throw new CannotStart(`${where} lies in another region than ${place.region}, or wants another path style.`)
    throw new CannotStart(`${where} cannot be reached: ${rootCause(error)}.`)
  }
}
