import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  type Environment,
  origin,
  orNull,
  path,
  readBy,
  readerOf,
  secret,
  setting,
  text,
  WrongSetting,
  wholeNumber,
} from './setting.ts'

/** `disk`: under dataDir. */
export type StoragePlace = 'disk' | S3Place
/**
 * `keys` null: those that the AWS client finds by itself: from a profile, or a role of the machine, container or pod.
 */
export type S3Place = S3Address & { keys: S3Keys | null }
export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** `endpoint` null is Amazon's own; `prefix` ends without a slash, '' is the whole bucket. */
type S3Address = { bucket: string; prefix: string; endpoint: string | null; region: string; pathStyle: boolean }

const s3Parameters = z.strictObject({
  endpoint: origin.nullable().default(null),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default('us-east-1'),
  path_style: z.enum(['0', '1']).default('0'),
})

/** `disk`, or `s3://bucket/prefix?endpoint=…&region=…&path_style=1`. */
const storagePlace = readBy((given): 'disk' | S3Address | null => {
  if (given === 'disk') return 'disk'
  const [, bucket, path = '', query = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]{1,100}){0,5})\/?(?:\?(.*))?$/.exec(given) ?? []
  const parameters = s3Parameters.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (!bucket || !parameters.success || /\/\.{1,2}(\/|$)/.test(path)) return null
  const { endpoint, region, path_style } = parameters.data
  return { bucket, prefix: path.slice(1), endpoint, region, pathStyle: path_style === '1' }
}).describe('disk or a URL like s3://bucket/prefix?endpoint=https://s3.party.example&region=eu-west-1&path_style=1')

export const storageSettings = {
  STORAGE: setting('where files are kept: disk (in DATA_DIR), or a bucket on S3', storagePlace, 'disk'),
  STORAGE_FROM: setting('while an instance moves: where its files were kept before', orNull(storagePlace)),
  MEDIA_DIR: setting(
    'directory of the photos that several processes share; unset: media in DATA_DIR, for one process alone',
    orNull(path),
  ),
  MEDIA_X_ACCEL: setting(
    'path below which an nginx in front has the files on disk, to send them itself (X-Accel-Redirect); unset: the service does',
    orNull(text.regex(/^(?:\/[\w-]{1,40}){1,3}$/).describe('a path like /stored')),
  ),
  AWS_ACCESS_KEY_ID: setting(
    'key of that bucket; unset: what the AWS client finds by itself (profile, role of the machine or pod)',
    text,
  ),
  AWS_SECRET_ACCESS_KEY: secret('secret of that key', text),
  AWS_SESSION_TOKEN: secret('token that belongs to a key which ends', text),
  STORAGE_SWEEP_DAYS: setting(
    'every so many nights files that nothing names are removed, for which all are listed; 0 never',
    wholeNumber(0, 365),
    '1',
  ),
  STORAGE_REREAD_DAYS: setting(
    'every so many nights a part of the files is read again, to find damage; 0 never',
    wholeNumber(0, 365),
    '1',
  ),
}

/** Files are stored in one place; while an instance moves, those not yet there are read `from` the previous one. */
export function readStorage(env: Environment) {
  const read = readerOf(storageSettings, env)
  const placeOf = (address: 'disk' | S3Address): StoragePlace =>
    address === 'disk' ? address : { ...address, keys: readKeys(env) }
  const at = placeOf(read('STORAGE'))
  const before = read('STORAGE_FROM')
  const from = before && placeOf(before)
  if (isDeepStrictEqual(at, from)) throw new WrongSetting('STORAGE_FROM is the same place as STORAGE.')
  const accelPrefix = read('MEDIA_X_ACCEL')
  if (accelPrefix !== null && (at !== 'disk' || from !== null))
    throw new WrongSetting('MEDIA_X_ACCEL is for files on disk: STORAGE must be disk and STORAGE_FROM unset.')
  return {
    at,
    from,
    /** The internal path below which an nginx in front serves the files from disk; null: the service sends them. */
    accelPrefix,
    /** For stored and incoming files, shared with other processes; null: in dataDir, for this process alone. */
    directory: read('MEDIA_DIR'),
    sweepEveryDays: read('STORAGE_SWEEP_DAYS'),
    rereadEveryDays: read('STORAGE_REREAD_DAYS'),
  }
}

function readKeys(env: Environment): S3Keys | null {
  const read = readerOf(storageSettings, env)
  const accessKeyId = read('AWS_ACCESS_KEY_ID')
  const secretAccessKey = read('AWS_SECRET_ACCESS_KEY')
  const sessionToken = read('AWS_SESSION_TOKEN')
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  if (accessKeyId || secretAccessKey)
    throw new WrongSetting('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: one of them is missing.')
  return null
}
