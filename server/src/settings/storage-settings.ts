import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Read } from './provider-settings.ts'
import { origin, orNull, type Setting, text, WrongSetting, wholeNumber } from './setting.ts'

/** `disk`: under dataDir. */
export type StoragePlace = 'disk' | S3Place
/**
 * `keys` null: those that the AWS client finds by itself: from a profile, or a role of the machine, container or pod.
 */
export type S3Place = S3Address & { keys: S3Keys | null }
export type S3Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** Files are stored in one place; while an instance moves, those not yet there are read `from` the previous one. */
export type StorageSettings = {
  at: StoragePlace
  from: StoragePlace | null
  /**
   * The directory for stored and incoming files, shared with other processes; null: in dataDir, for this process alone.
   */
  directory: string | null
  /**
   * The internal path below which an nginx in front serves the files from disk itself; null: the service sends them.
   */
  accelPrefix: string | null
  /** Nights between two runs; 0: never. */
  sweepEveryDays: number
  rereadEveryDays: number
}

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
const storagePlace = z.string().transform((text, context): 'disk' | S3Address => {
  if (text === 'disk') return 'disk'
  const [, bucket, path = '', query = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]{1,100}){0,5})\/?(?:\?(.*))?$/.exec(text) ?? []
  const parameters = s3Parameters.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (bucket && parameters.success && !/\/\.{1,2}(\/|$)/.test(path)) {
    const { endpoint, region, path_style } = parameters.data
    return { bucket, prefix: path.slice(1), endpoint, region, pathStyle: path_style === '1' }
  }
  context.addIssue('no place')
  return z.NEVER
})

export const storageSettings = {
  STORAGE: {
    default: 'disk',
    meaning: 'where files are kept: disk (in DATA_DIR), or a bucket on S3',
    allowed: 'disk or a URL like s3://bucket/prefix?endpoint=https://s3.party.example&region=eu-west-1&path_style=1',
    form: storagePlace,
  },
  STORAGE_FROM: {
    default: '',
    meaning: 'while an instance moves: where its files were kept before',
    allowed: 'disk or a URL like s3://bucket/prefix?endpoint=https://s3.party.example&region=eu-west-1&path_style=1',
    form: orNull(storagePlace),
  },
  MEDIA_DIR: {
    default: '',
    meaning: 'directory of the photos that several processes share; unset: media in DATA_DIR, for one process alone',
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  MEDIA_X_ACCEL: {
    default: '',
    meaning:
      'path below which an nginx in front has the files on disk, to send them itself (X-Accel-Redirect); unset: the service does',
    allowed: 'a path like /stored',
    form: orNull(z.string().regex(/^(?:\/[\w-]{1,40}){1,3}$/)),
  },
  AWS_ACCESS_KEY_ID: {
    default: '',
    meaning: 'key of that bucket; unset: what the AWS client finds by itself (profile, role of the machine or pod)',
    allowed: 'a text',
    form: text,
  },
  AWS_SECRET_ACCESS_KEY: {
    default: '',
    meaning: 'secret of that key',
    allowed: 'a text',
    form: text,
    secret: true,
  },
  AWS_SESSION_TOKEN: {
    default: '',
    meaning: 'token that belongs to a key which ends',
    allowed: 'a text',
    form: text,
    secret: true,
  },
  STORAGE_SWEEP_DAYS: {
    default: '1',
    meaning: 'every so many nights files that nothing names are removed, for which all are listed; 0 never',
    allowed: 'a whole number from 0 to 365',
    form: wholeNumber(0, 365),
  },
  STORAGE_REREAD_DAYS: {
    default: '1',
    meaning: 'every so many nights a part of the files is read again, to find damage; 0 never',
    allowed: 'a whole number from 0 to 365',
    form: wholeNumber(0, 365),
  },
} satisfies Record<string, Setting<unknown>>

export function readStorage(read: Read): StorageSettings {
  const placeOf = (address: 'disk' | S3Address | null): StoragePlace | null =>
    address === null || address === 'disk' ? address : { ...address, keys: readKeys(read) }
  const at = placeOf(read('STORAGE', storageSettings.STORAGE)) as StoragePlace
  const from = placeOf(read('STORAGE_FROM', storageSettings.STORAGE_FROM))
  if (isDeepStrictEqual(at, from)) throw new WrongSetting('STORAGE_FROM is the same place as STORAGE.')
  const accelPrefix = read('MEDIA_X_ACCEL', storageSettings.MEDIA_X_ACCEL)
  if (accelPrefix !== null && (at !== 'disk' || from !== null))
    throw new WrongSetting('MEDIA_X_ACCEL is for files on disk: STORAGE must be disk and STORAGE_FROM unset.')
  return {
    at,
    from,
    accelPrefix,
    directory: read('MEDIA_DIR', storageSettings.MEDIA_DIR),
    sweepEveryDays: read('STORAGE_SWEEP_DAYS', storageSettings.STORAGE_SWEEP_DAYS),
    rereadEveryDays: read('STORAGE_REREAD_DAYS', storageSettings.STORAGE_REREAD_DAYS),
  }
}

function readKeys(read: Read): S3Keys | null {
  const accessKeyId = read('AWS_ACCESS_KEY_ID', storageSettings.AWS_ACCESS_KEY_ID)
  const secretAccessKey = read('AWS_SECRET_ACCESS_KEY', storageSettings.AWS_SECRET_ACCESS_KEY)
  const sessionToken = read('AWS_SESSION_TOKEN', storageSettings.AWS_SESSION_TOKEN)
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
  if (accessKeyId || secretAccessKey)
    throw new WrongSetting('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: one of them is missing.')
  return null
}
