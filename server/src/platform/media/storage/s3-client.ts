import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Place } from '../../../settings/storage-settings.ts'
import { rootCause } from '../../observability/root-cause.ts'
import { CannotStart } from '../../process/cannot-start.ts'

/** How long S3 may let one attempt wait without a byte, and how often errors are tried. Tests use less. */
export type S3Patience = { silenceMs: number; attempts: number }
/** Somebody waits: two silences and what lies around them stay below 15 s. */
export const patience: S3Patience = { silenceMs: 5_900, attempts: 4 }
const silencesMax = 2

/** The options for a client of this bucket; the bucket is separate, because some constructors want it so. */
export const s3ClientSettings = (
  { bucket, region, endpoint, pathStyle, keys }: S3Place,
  { silenceMs, attempts }: S3Patience = patience,
): S3ClientConfig & { bucket: string } => ({
  bucket,
  region,
  ...(endpoint !== null && { endpoint }),
  forcePathStyle: pathStyle,
  ...(keys && { credentials: keys }),
  // Many servers that speak S3 reject the checksums that Amazon added later; we provide our own.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  maxAttempts: attempts,
  // Waiting for a 100 would hide that nothing is heard; our bodies are at most 8 MiB.
  expectContinueHeader: false,
  requestHandler: { connectionTimeout: 3000, socketTimeout: silenceMs },
})

/** Errors pass, and are tried again and again; a silence lasts, and is tried once more. */
export function giveUpOnSilence(client: S3Client): void {
  /** Silences per operation: its attempts share one context. */
  const silences = new WeakMap<object, number>()
  client.middlewareStack.add(
    (next, context) => async args => {
      try {
        return await next(args)
      } catch (error) {
        if ((error as Error).name !== 'TimeoutError') throw error
        const count = (silences.get(context) ?? 0) + 1
        silences.set(context, count)
        // Under a name that the client does not try again.
        throw count < silencesMax ? error : new SilentBucket('The bucket has fallen silent.')
      }
    },
    { step: 'deserialize', priority: 'low', name: 'giveUpOnSilence' },
  )
}

export class SilentBucket extends Error {
  override name = 'SilentBucket'
}

/** Nobody answers there, which may be temporary. */
export class StorageUnreachable extends CannotStart {}

const answersWithinMs = 10_000

/**
 * Throws CannotStart with a sentence if the bucket does not exist or is not ours; StorageUnreachable if that is
 * unknown, because there is no answer.
 */
export async function demandBucket(client: S3Client, { bucket, endpoint, region, keys }: S3Place): Promise<void> {
  const { HeadBucketCommand } = await import('@aws-sdk/client-s3')
  const where = `The storage s3://${bucket}${endpoint === null ? '' : ` at ${endpoint}`}`
  const late = AbortSignal.timeout(answersWithinMs)
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: late })
  } catch (error) {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
    const status = $metadata?.httpStatusCode
    if (status === 404) throw new CannotStart(`${where} does not exist: STORAGE names it.`)
    if (status === 401 || status === 403)
      throw new CannotStart(
        keys
          ? `${where} refuses the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`
          : `${where} refuses the keys that the AWS client found on this machine.`,
      )
    if (status === 301 || status === 400)
      throw new CannotStart(`${where} lies in another region than ${region}, or wants another path style.`)
    if (name === 'CredentialsProviderError')
      throw new CannotStart(
        `${where} needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a profile or a role.`,
      )
    const reason = late.aborted ? `no answer within ${answersWithinMs / 1000} s` : rootCause(error)
    throw new StorageUnreachable(`${where} cannot be reached: ${reason}.`)
  }
}
