import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type Language, languages } from '@afterglow/contract/languages'
import { z } from 'zod'
import { type Limits, limitSettings, readLimits } from './limit-settings.ts'
import { type MailSettings, mailSettings, readMail } from './mail-settings.ts'
import { type ProviderSettings, providerSettings, readProviders } from './provider-settings.ts'
import { type PushSettings, pushSettings, readPush } from './push-settings.ts'
import {
  addressRange,
  httpUrl,
  listOf,
  mailDomain,
  oneOf,
  origin,
  orNull,
  pageOrigin,
  postgresUrl,
  readSetting,
  redisUrl,
  type Setting,
  sentryDsn,
  serviceUrl,
  text,
  wholeNumber,
} from './setting.ts'
import { readStorage, type StorageSettings, storageSettings } from './storage-settings.ts'

export type RegistrationSettings = {
  /** `invited`: people who joined an event by a link. */
  who: 'open' | 'invited' | 'closed'
  /** Domains allowed for e-mail addresses, in lower case; empty: any. */
  mailDomains: readonly string[]
}

export type Config = {
  /** The language of notifications and mails for users who ask for none that we support. */
  defaultLanguage: Language
  metrics: MetricsSettings
  /** null: errors are only logged. */
  sentryDsn: string | null
  /** null: tracing is off. */
  tracesEndpoint: string | null
  host: string
  port: number
  /** How many processes serve behind the port; 1: no supervisor. */
  processes: number
  work: Work
  /** The prefix of links and media URLs, without a trailing slash; null: the request's own host. */
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

/** The parts of the service that a process runs. */
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

const workOf = {
  all: { requests: true, jobs: true, films: true },
  api: { requests: true, jobs: false, films: false },
  media: { requests: true, jobs: false, films: true },
  jobs: { requests: false, jobs: true, films: false },
} satisfies Record<string, Work>
const roles = ['all', 'api', 'media', 'jobs'] as const
const registrations = ['open', 'invited', 'closed'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/** Every setting, in the order of docs/settings.md, which a test compares with this. */
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
  ...limitSettings,
  FFMPEG_PATH: {
    default: '',
    meaning: 'the ffmpeg that converts videos, with ffprobe beside it; unset: the one in PATH, else node-av',
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  ...pushSettings,
  WEBHOOK_PRIVATE_ORIGINS: {
    default: '',
    meaning: 'receivers of webhooks that may lie in a private network, and speak http there',
    allowed: 'origins with commas between, like http://receiver:8080',
    form: listOf(origin),
  },
  ...mailSettings,
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
    limits: readLimits(read),
    registration: {
      who: read('REGISTRATION', settings.REGISTRATION),
      mailDomains: read('REGISTRATION_DOMAINS', settings.REGISTRATION_DOMAINS),
    },
    defaultLanguage: read('DEFAULT_LANGUAGE', settings.DEFAULT_LANGUAGE),
    ffmpegPath: read('FFMPEG_PATH', settings.FFMPEG_PATH),
    push: readPush(read),
    webhookPrivateOrigins: read('WEBHOOK_PRIVATE_ORIGINS', settings.WEBHOOK_PRIVATE_ORIGINS),
    providers: readProviders(read, env),
    mail: readMail(read),
  }
}
