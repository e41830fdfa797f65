import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type Language, languages } from '@afterglow/contract/languages'
import { z } from 'zod'
import { type ProviderSettings, providerSettings, type Read, readProviders } from './provider-settings.ts'
import {
  addressRange,
  httpUrl,
  listOf,
  mailbox,
  mailDomain,
  oneOf,
  origin,
  orNull,
  pageOrigin,
  positiveNumber,
  postgresUrl,
  readSetting,
  redisUrl,
  type Setting,
  sentryDsn,
  serviceUrl,
  smtpUrl,
  text,
  WrongSetting,
  wholeNumber,
} from './setting.ts'
import { readStorage, type StorageSettings, storageSettings } from './storage-settings.ts'

export type Limits = {
  /** Multiplies every rate limit; 1 in normal service. Load tests raise it, nothing else should. */
  rateFactor: number
  /** Sign-ins and registrations per minute from one network address, whatever the device. */
  signInsPerAddressPerMinute: number
  photosPerGuest: number
  photoBytesMax: number
  /** Never less than for any photo. */
  rawBytesMax: number
  photoPixelsMax: number
  videoBytesMax: number
  attachmentBytesMax: number
  videoSecondsMax: number
  /** The total of one person's files. */
  personBytesMax: number
  /** The same of somebody who joined by a link with just a name; all of one link have twice what a person has. */
  guestBytesMax: number
  /** The total of all files; null: as much as the disk holds. */
  instanceBytesMax: number | null
  /** Below this much free disk space, uploads are refused. */
  freeBytesMin: number
}

export type PushSettings = {
  /** Notifications that are not acknowledged in time are not sent as pushes as well. */
  strict: boolean
  /** `mailto:` or `https:` address at which the browsers' push services reach the operator; null: publicUrl. */
  contact: string | null
  /** Origins of push services that may be in a private network. */
  privateOrigins: string[]
  /** Path of Google's service account file. */
  fcmServiceAccount: string | null
  /** Apple's key; `key` is the path of its file. */
  apns: { key: string; keyId: string; teamId: string; topic: string } | null
}

export type RegistrationSettings = {
  /** Who may create an account: anybody, those who joined an event by a link, or nobody. */
  who: 'open' | 'invited' | 'closed'
  /** Domains allowed for e-mail addresses, in lower case; empty: any. */
  mailDomains: readonly string[]
}

export type MailSettings = {
  /** null: mails are written to files. */
  smtpUrl: string | null
  /** Whether addresses can be verified, because mails are sent. */
  provesAddresses: boolean
  from: string
}

export type Config = {
  /** The language of notifications and mails for users who ask for none that we support. */
  defaultLanguage: Language
  metrics: MetricsSettings
  /** Where errors are reported; null: only in the log. */
  sentryDsn: string | null
  /** Where traces are sent; null: nowhere. */
  tracesEndpoint: string | null
  host: string
  port: number
  /** How many processes serve behind the port; 1: no supervisor. */
  processes: number
  work: Work
  /** What links and media URLs start with, without a slash at its end; null: the request's own host. */
  publicUrl: string | null
  /** Absolute path. Contains the embedded database, media and secrets. */
  dataDir: string
  /** null: secrets.json in dataDir. */
  secretsFile: string | null
  /** null: the embedded PostgreSQL under dataDir. */
  databaseUrl: string | null
  storage: StorageSettings
  /** null: this process shares only the database with others. */
  redisUrl: string | null
  /** The prefix of every key there; null: a name of this instance. */
  redisPrefix: string | null
  /** Address ranges (CIDR) whose forwarded headers are trusted. */
  trustedProxies: string[]
  corsOrigins: string[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  limits: Limits
  registration: RegistrationSettings
  /** null: the one in PATH. */
  ffmpegPath: string | null
  push: PushSettings
  /** Origins of webhook receivers that may be in a private network. */
  webhookPrivateOrigins: string[]
  providers: ProviderSettings
  mail: MailSettings
}

/** Which parts of the service a process runs. */
export type Work = {
  /** Serves requests and the channel; without it, only health and metrics. */
  requests: boolean
  /** Mails, pushes, exports, nightly work: everything queued except videos. */
  jobs: boolean
  /** Converts videos. */
  films: boolean
}

export type MetricsSettings = {
  /** On the loopback interface; null: none. */
  port: number | null
  /** Serves them on the public port to callers with this token; null: closed. */
  token: string | null
}

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte
const gigabytesOrNull = (count: number | null) => (count === null ? null : count * gigabyte)
const megapixel = 1_000_000
const workOf = {
  all: { requests: true, jobs: true, films: true },
  api: { requests: true, jobs: false, films: false },
  media: { requests: true, jobs: false, films: true },
  jobs: { requests: false, jobs: true, films: false },
} satisfies Record<string, Work>
const roles = ['all', 'api', 'media', 'jobs'] as const
const registrations = ['open', 'invited', 'closed'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** Every setting, in the order of the README's table, which a test compares with this. */
export const settings = {
  PORT: {
    default: '3000',
    meaning: 'port to listen on; 0 takes any free one',
    allowed: 'a whole number from 0 to 65535',
    form: wholeNumber(0, 65_535),
  },
  HOST: {
    default: '127.0.0.1',
    meaning: 'address to listen on; 0.0.0.0 for every one of this machine',
    allowed: 'a host name or an address',
    form: text.regex(/^[\w.:-]+$/),
  },
  PROCESSES: {
    default: '1',
    meaning: 'processes that serve behind the one port; auto: as many as there are cores',
    allowed: 'auto or a whole number from 1 to 64',
    form: z.union([z.literal('auto').transform(() => Math.min(64, availableParallelism())), wholeNumber(1, 64)]),
  },
  ROLE: {
    default: 'all',
    meaning:
      'what it does beside others: answers requests (api), that and converts films (media), every other job and no requests (jobs), or all',
    allowed: `one of ${roles.join(', ')}`,
    form: oneOf(roles),
  },
  PUBLIC_URL: {
    default: '',
    meaning: "where clients reach the service, for links and media URLs; unset: the request's own host",
    allowed:
      'an http or https URL like https://party.example or https://club.example/party; a path is of letters, digits, hyphens and underscores, and begins with no word of the service (api, events, j …)',
    form: orNull(serviceUrl),
  },
  DATA_DIR: {
    default: './data',
    meaning: 'directory of the embedded database, the photos and the secrets',
    allowed: 'a path',
    form: text.transform(path => resolve(path)),
  },
  SECRETS_FILE: {
    default: '',
    meaning: 'file of the secrets, for several machines that must share them; unset: secrets.json in DATA_DIR',
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  DATABASE_URL: {
    default: '',
    meaning: 'a PostgreSQL 16 or newer of your own; unset: the embedded one in DATA_DIR',
    allowed: 'a URL like postgres://user:password@host:5432/name',
    form: orNull(postgresUrl),
  },
  ...storageSettings,
  REDIS_URL: {
    default: '',
    meaning: 'a Redis that several processes share rate limits and presence by, and nudge each other; unset: none',
    allowed: 'a URL like redis://user:password@host:6379/0',
    form: orNull(redisUrl),
  },
  REDIS_PREFIX: {
    default: '',
    meaning: 'what every key and channel there begins with; unset: a name drawn from the database',
    allowed: '1 to 64 letters, digits, dots, colons, hyphens and underscores',
    form: orNull(text.regex(/^[\w.:-]{1,64}$/)),
  },
  TRUSTED_PROXIES: {
    default: '',
    meaning: 'proxies whose X-Forwarded-* headers are believed',
    allowed: 'addresses or CIDR ranges with commas between, like 10.0.0.0/8,::1',
    form: listOf(addressRange),
  },
  CORS_ORIGINS: {
    default: '',
    meaning: 'origins of the web pages and app shells that may call the API and open the channel',
    allowed:
      'origins with commas between, like https://party.example,capacitor://localhost; also file:// and null, but no *',
    form: listOf(pageOrigin),
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'how much is logged',
    allowed: `one of ${logLevels.join(', ')}`,
    form: oneOf(logLevels),
  },
  METRICS_PORT: {
    default: '',
    meaning: 'port of the loopback for Prometheus to scrape, at /metrics; unset: none',
    allowed: 'a whole number from 0 to 65535',
    form: orNull(wholeNumber(0, 65_535)),
  },
  METRICS_TOKEN: {
    default: '',
    meaning: 'bearer token that opens /metrics on the public port; unset: closed',
    allowed: '16 or more letters, digits, hyphens and underscores',
    form: orNull(text.regex(/^[\w-]{16,200}$/)),
    secret: true,
  },
  SENTRY_DSN: {
    default: '',
    meaning:
      'where errors are reported to, in the way of Sentry: what broke and where, never in whose words; unset: only to the log',
    allowed: 'a URL like https://key@errors.party.example/1',
    form: orNull(sentryDsn),
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: '',
    meaning:
      "collector that traces are sent to, by OTLP over HTTP: what was asked and how long it took, in nobody's words; unset: none",
    allowed: 'an http or https URL like http://127.0.0.1:4318',
    form: orNull(httpUrl),
  },
  RATE_LIMIT_FACTOR: {
    default: '1',
    meaning: 'multiplies every rate limit; only for load tests',
    allowed: 'a number above 0, at most 1000000',
    form: positiveNumber(1_000_000),
  },
  SIGN_INS_PER_ADDRESS: {
    default: '300',
    meaning: 'sign-ins and registrations a minute from one network address',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  REGISTRATION: {
    default: 'open',
    meaning:
      'who may open an account: anybody, only guests who came by a link (invited), or nobody; organizers’ links let guests in whichever it is',
    allowed: `one of ${registrations.join(', ')}`,
    form: oneOf(registrations),
  },
  REGISTRATION_DOMAINS: {
    default: '',
    meaning: 'domains that e-mail addresses of accounts must be at; unset: any',
    allowed: 'domains with commas between, like party.example,club.example',
    form: listOf(mailDomain),
  },
  DEFAULT_LANGUAGE: {
    default: languages[0],
    meaning: 'what people are told in who ask for no language that the service speaks',
    allowed: `one of ${languages.join(', ')}`,
    form: oneOf(languages),
  },
  PHOTOS_PER_GUEST: {
    default: '200',
    meaning: 'photos one guest may add to one event',
    allowed: 'a whole number from 0 to 1000000',
    form: wholeNumber(0, 1_000_000),
  },
  PHOTO_MB_MAX: {
    default: '50',
    meaning: 'largest photo, in MiB',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  RAW_MB_MAX: {
    default: '256',
    meaning: 'largest RAW, in MiB; where PHOTO_MB_MAX is more, that',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  PHOTO_MEGAPIXELS_MAX: {
    default: '100',
    meaning: 'largest photo, in megapixels',
    allowed: 'a whole number from 1 to 1000',
    form: wholeNumber(1, 1000),
  },
  VIDEO_MB_MAX: {
    default: '2048',
    meaning: 'largest video, in MiB',
    allowed: 'a whole number from 1 to 1048576',
    form: wholeNumber(1, 1_048_576),
  },
  ATTACHMENT_MB_MAX: {
    default: '25',
    meaning: 'largest image in a message, in MiB',
    allowed: 'a whole number from 1 to 1024',
    form: wholeNumber(1, 1024),
  },
  VIDEO_MINUTES_MAX: {
    default: '60',
    meaning: 'longest video, in minutes',
    allowed: 'a whole number from 1 to 1440',
    form: wholeNumber(1, 1440),
  },
  PERSON_GB_MAX: {
    default: '100',
    meaning: 'all files of one person, in GiB, what they deleted until it is gone included',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  GUEST_GB_MAX: {
    default: '10',
    meaning: 'all files of one guest without an account, in GiB; the guests of one link together: twice PERSON_GB_MAX',
    allowed: 'a whole number from 1 to 1000000',
    form: wholeNumber(1, 1_000_000),
  },
  INSTANCE_GB_MAX: {
    default: '',
    meaning: 'all files together, in GiB; unset: as many as there is room for',
    allowed: 'a whole number from 1 to 1000000',
    form: orNull(wholeNumber(1, 1_000_000)),
  },
  FREE_MB_MIN: {
    default: '1024',
    meaning: 'free disk, in MiB, below which uploads are refused and everything else goes on',
    allowed: 'a whole number from 0 to 1000000',
    form: wholeNumber(0, 1_000_000),
  },
  FFMPEG_PATH: {
    default: '',
    meaning: 'the ffmpeg that converts videos, with ffprobe beside it; unset: the one in PATH, else node-av',
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  NOTIFY_STRICT: {
    default: '0',
    meaning: 'with 1, what an active app does not acknowledge within 10 seconds does not travel as push as well',
    allowed: '0 or 1',
    form: oneOf(['0', '1']).transform(text => text === '1'),
  },
  PUSH_CONTACT: {
    default: '',
    meaning: 'where the push services of browsers reach you; unset: PUBLIC_URL',
    allowed: 'an address like mailto:you@party.example or https://party.example',
    form: orNull(text.regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/)),
  },
  PUSH_PRIVATE_ORIGINS: {
    default: '',
    meaning: 'push services of your own that may lie in a private network',
    allowed: 'origins with commas between, like https://push.party.example',
    form: listOf(origin),
  },
  WEBHOOK_PRIVATE_ORIGINS: {
    default: '',
    meaning: 'receivers of webhooks that may lie in a private network, and speak http there',
    allowed: 'origins with commas between, like http://receiver:8080',
    form: listOf(origin),
  },
  FCM_SERVICE_ACCOUNT: {
    default: '',
    meaning: "file of Google's service account, for push to Android; unset: none",
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  APNS_KEY: {
    default: '',
    meaning: "file of Apple's key (.p8), for push to iOS; unset: none",
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  APNS_KEY_ID: {
    default: '',
    meaning: 'id of that key',
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  APNS_TEAM_ID: {
    default: '',
    meaning: "id of the app's team",
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  APNS_TOPIC: {
    default: '',
    meaning: "the app's bundle id",
    allowed: 'a name like com.example.party',
    form: orNull(text.regex(/^[\w.-]{1,255}$/)),
  },
  SMTP_URL: {
    default: '',
    meaning: 'the mail server that mails leave by; unset: they are written to DATA_DIR/mail',
    allowed: 'a URL like smtps://user:password@mail.party.example:465',
    form: orNull(smtpUrl),
  },
  MAIL_FROM: {
    default: '',
    meaning: 'sender of mails; needed with SMTP_URL',
    allowed: 'an address, or a name with one: Party <party@party.example>',
    form: orNull(mailbox),
  },
  ...providerSettings,
} satisfies Record<string, Setting<unknown>>

/** Reads and checks every setting; throws WrongSetting for the first invalid one. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const read = <Value>(name: string, setting: Setting<Value>) => readSetting(name, setting, env)
  return {
    host: read('HOST', settings.HOST),
    port: read('PORT', settings.PORT),
    processes: read('PROCESSES', settings.PROCESSES),
    work: workOf[read('ROLE', settings.ROLE)],
    publicUrl: read('PUBLIC_URL', settings.PUBLIC_URL),
    dataDir: read('DATA_DIR', settings.DATA_DIR),
    secretsFile: read('SECRETS_FILE', settings.SECRETS_FILE),
    databaseUrl: read('DATABASE_URL', settings.DATABASE_URL),
    storage: readStorage(read),
    redisUrl: read('REDIS_URL', settings.REDIS_URL),
    redisPrefix: read('REDIS_PREFIX', settings.REDIS_PREFIX),
    trustedProxies: read('TRUSTED_PROXIES', settings.TRUSTED_PROXIES),
    corsOrigins: read('CORS_ORIGINS', settings.CORS_ORIGINS),
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL),
    metrics: {
      port: read('METRICS_PORT', settings.METRICS_PORT),
      token: read('METRICS_TOKEN', settings.METRICS_TOKEN),
    },
    sentryDsn: read('SENTRY_DSN', settings.SENTRY_DSN),
    tracesEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', settings.OTEL_EXPORTER_OTLP_ENDPOINT),
    limits: {
      rateFactor: read('RATE_LIMIT_FACTOR', settings.RATE_LIMIT_FACTOR),
      signInsPerAddressPerMinute: read('SIGN_INS_PER_ADDRESS', settings.SIGN_INS_PER_ADDRESS),
      photosPerGuest: read('PHOTOS_PER_GUEST', settings.PHOTOS_PER_GUEST),
      photoBytesMax: read('PHOTO_MB_MAX', settings.PHOTO_MB_MAX) * megabyte,
      rawBytesMax:
        Math.max(read('RAW_MB_MAX', settings.RAW_MB_MAX), read('PHOTO_MB_MAX', settings.PHOTO_MB_MAX)) * megabyte,
      photoPixelsMax: read('PHOTO_MEGAPIXELS_MAX', settings.PHOTO_MEGAPIXELS_MAX) * megapixel,
      videoBytesMax: read('VIDEO_MB_MAX', settings.VIDEO_MB_MAX) * megabyte,
      attachmentBytesMax: read('ATTACHMENT_MB_MAX', settings.ATTACHMENT_MB_MAX) * megabyte,
      videoSecondsMax: read('VIDEO_MINUTES_MAX', settings.VIDEO_MINUTES_MAX) * 60,
      personBytesMax: read('PERSON_GB_MAX', settings.PERSON_GB_MAX) * gigabyte,
      guestBytesMax: read('GUEST_GB_MAX', settings.GUEST_GB_MAX) * gigabyte,
      instanceBytesMax: gigabytesOrNull(read('INSTANCE_GB_MAX', settings.INSTANCE_GB_MAX)),
      freeBytesMin: read('FREE_MB_MIN', settings.FREE_MB_MIN) * megabyte,
    },
    registration: {
      who: read('REGISTRATION', settings.REGISTRATION),
      mailDomains: read('REGISTRATION_DOMAINS', settings.REGISTRATION_DOMAINS),
    },
    defaultLanguage: read('DEFAULT_LANGUAGE', settings.DEFAULT_LANGUAGE),
    ffmpegPath: read('FFMPEG_PATH', settings.FFMPEG_PATH),
    push: {
      strict: read('NOTIFY_STRICT', settings.NOTIFY_STRICT),
      contact: read('PUSH_CONTACT', settings.PUSH_CONTACT),
      privateOrigins: read('PUSH_PRIVATE_ORIGINS', settings.PUSH_PRIVATE_ORIGINS),
      fcmServiceAccount: read('FCM_SERVICE_ACCOUNT', settings.FCM_SERVICE_ACCOUNT),
      apns: readApns(read),
    },
    webhookPrivateOrigins: read('WEBHOOK_PRIVATE_ORIGINS', settings.WEBHOOK_PRIVATE_ORIGINS),
    providers: readProviders(read, env),
    mail: readMail(read),
  }
}

function readMail(read: Read): MailSettings {
  const url = read('SMTP_URL', settings.SMTP_URL)
  const from = read('MAIL_FROM', settings.MAIL_FROM)
  if (url && !from) throw new WrongSetting('SMTP_URL needs MAIL_FROM beside it: mail servers refuse mails of nobody.')
  return { smtpUrl: url, provesAddresses: url !== null, from: from ?? 'Afterglow <afterglow@localhost>' }
}

function readApns(read: Read): PushSettings['apns'] {
  const key = read('APNS_KEY', settings.APNS_KEY)
  const keyId = read('APNS_KEY_ID', settings.APNS_KEY_ID)
  const teamId = read('APNS_TEAM_ID', settings.APNS_TEAM_ID)
  const topic = read('APNS_TOPIC', settings.APNS_TOPIC)
  if (key && keyId && teamId && topic) return { key, keyId, teamId, topic }
  if (key || keyId || teamId || topic)
    throw new WrongSetting('APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC belong together: set all or none.')
  return null
}
