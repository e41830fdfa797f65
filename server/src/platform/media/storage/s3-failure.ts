import { NotStored, StorageFailed } from './storage.ts'

type S3Error = { name?: string; $metadata?: { httpStatusCode?: number } }

export const isMissing = (error: unknown) => {
  const { name, $metadata } = error as S3Error
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}

/** Any error of an S3 client as `NotStored` or `StorageFailed`. */
export const s3Failure = (error: unknown): NotStored | StorageFailed => {
  if (error instanceof NotStored || error instanceof StorageFailed) return error
  const { name = '', $metadata } = error as S3Error
  // A missing bucket is not a missing file: nothing may be concluded from it about rows.
  if (name !== 'NoSuchBucket' && isMissing(error)) return new NotStored('Not stored.', { cause: error })
  const full = $metadata?.httpStatusCode === 507 || /quota|storage_?full|insufficientstorage/i.test(name)
  return new StorageFailed(full ? 'full' : 'failing', error)
}
