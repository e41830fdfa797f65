import { availableParallelism } from 'node:os'
import { languages } from '@afterglow/contract/languages'
import { z } from 'zod'
import { limitSettings, readLimits } from './limit-settings.ts'
import { providerSettings, readProviders } from './provider-settings.ts'
import { pushSettings, readPush } from './push-settings.ts'
import {
  addressRange,
  type Environment,
  httpUrl,
  listOf,
  mailbox,
  mailDomain,
  oneOf,
  origin,
  orNull,
  pageOrigin,
  path,
  postgresUrl,
  readerOf,
  redisUrl,
  secret,
  sentryDsn,
  serviceUrl,
  setting,
  smtpUrl,
  text,
  WrongSetting,
  wholeNumber,
} from './setting.ts'
import { readStorage, storageSettings } from './storage-settings.ts'

/** The parts of the service that a process runs. */
export type Work = {
  /** Serves requests and the channel; without it, only health and metrics. */
  requests: boolean
  /** Mails, pushes, exports, nightly work: everything queued except videos. */
  jobs: boolean
  /** Converts videos. */
  films: boolean
}

const workOf = {
  all: { requests: true, jobs: true, films: true },
  api: { requests: true, jobs: false, films: false },
  media: { requests: true, jobs: false, films: true },
  jobs: { requests: false, jobs: true, films: false },
} satisfies Record<string, Work>

/** Every setting, in the order of docs/settings.md, which a test compares with this. */
export const settings = {
  PORT: setting('port to listen on; 0 takes any free one', wholeNumber(0, 65_535), '3000'),
  HOST: setting(
    'address to listen on; 0.0.0.0 for every one of this machine',
    text.regex(/^[\w.:-]+$/).describe('a host name or an address'),
    '127.0.0.1',
  ),
  PROCESSES: setting(
    'processes that serve behind the one port; auto: as many as there are cores',
    z
      .union([z.literal('auto').transform(() => Math.min(64, availableParallelism())), wholeNumber(1, 64)])
      .describe('auto or a whole number from 1 to 64'),
    '1',
  ),
  ROLE: setting(
    'what it does beside others: answers requests (api), that and converts films (media), every other job and no requests (jobs), or all',
    oneOf(['all', 'api', 'media', 'jobs']),
    'all',
  ),
  PUBLIC_URL: setting(
    "where clients reach the service, for links and media URLs; unset: the request's own host",
    orNull(serviceUrl),
  ),
  DATA_DIR: setting('directory of the embedded database, the photos and the secrets', path, './data'),
  SECRETS_FILE: setting(
    'file of the secrets, for several machines that must share them; unset: secrets.json in DATA_DIR',
    orNull(path),
  ),
  DATABASE_URL: setting(
    'a PostgreSQL 16 or newer of your own; unset: the embedded one in DATA_DIR',
    orNull(postgresUrl),
  ),
  ...storageSettings,
  REDIS_URL: setting(
    'a Redis that several processes share rate limits and presence by, and nudge each other; unset: none',
    orNull(redisUrl),
  ),
  REDIS_PREFIX: setting(
    'what every key and channel there begins with; unset: a name drawn from the database',
    orNull(text.regex(/^[\w.:-]{1,64}$/).describe('1 to 64 letters, digits, dots, colons, hyphens and underscores')),
  ),
  TRUSTED_PROXIES: setting(
    'proxies whose X-Forwarded-* headers are believed',
    listOf(addressRange, 'addresses or CIDR ranges with commas between, like 10.0.0.0/8,::1'),
  ),
  CORS_ORIGINS: setting(
    'origins of the web pages and app shells that may call the API and open the channel',
    listOf(
      pageOrigin,
      'origins with commas between, like https://party.example,capacitor://localhost; also file:// and null, but no *',
    ),
  ),
  LOG_LEVEL: setting('how much is logged', oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
  METRICS_PORT: setting(
    'port of the loopback for Prometheus to scrape, at /metrics; unset: none',
    orNull(wholeNumber(0, 65_535)),
  ),
  METRICS_TOKEN: secret(
    'bearer token that opens /metrics on the public port; unset: closed',
    orNull(text.regex(/^[\w-]{16,200}$/).describe('16 or more letters, digits, hyphens and underscores')),
  ),
  SENTRY_DSN: secret(
    'where errors are reported to, in the way of Sentry: what broke and where, never in whose words; unset: only to the log',
    orNull(sentryDsn),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    "collector that traces are sent to, by OTLP over HTTP: what was asked and how long it took, in nobody's words; unset: none",
    orNull(httpUrl),
  ),
  REGISTRATION: setting(
    'who may open an account: anybody, only guests who came by a link (invited), or nobody; organizers’ links let guests in whichever it is',
    oneOf(['open', 'invited', 'closed']),
    'open',
  ),
  REGISTRATION_DOMAINS: setting(
    'domains that e-mail addresses of accounts must be at; unset: any',
    listOf(mailDomain, 'domains with commas between, like party.example,club.example'),
  ),
  DEFAULT_LANGUAGE: setting(
    'what people are told in who ask for no language that the service speaks',
    oneOf(languages),
    languages[0],
  ),
  ...limitSettings,
  FFMPEG_PATH: setting(
    'the ffmpeg that converts videos, with ffprobe beside it; unset: the one in PATH, else node-av',
    orNull(path),
  ),
  ...pushSettings,
  WEBHOOK_PRIVATE_ORIGINS: setting(
    'receivers of webhooks that may lie in a private network, and speak http there',
    listOf(origin, 'origins with commas between, like http://receiver:8080'),
  ),
  SMTP_URL: setting('the mail server that mails leave by; unset: they are written to DATA_DIR/mail', orNull(smtpUrl)),
  MAIL_FROM: setting('sender of mails; needed with SMTP_URL', orNull(mailbox)),
  ...providerSettings,
}

export type Config = ReturnType<typeof readConfig>
export type RegistrationSettings = Config['registration']
export type MetricsSettings = Config['metrics']

/** Reads and checks every setting; throws WrongSetting for the first invalid one. */
export function readConfig(env: Environment) {
  const read = readerOf(settings, env)
  const smtpUrl = read('SMTP_URL')
  const from = read('MAIL_FROM')
  if (smtpUrl && !from)
    throw new WrongSetting('SMTP_URL needs MAIL_FROM beside it: mail servers refuse mails of nobody.')
  return {
    host: read('HOST'),
    port: read('PORT'),
    /** How many processes serve behind the port; 1: no supervisor. */
    processes: read('PROCESSES'),
    work: workOf[read('ROLE')] as Work,
    /** The prefix of links and media URLs, without a trailing slash; null: the request's own host. */
    publicUrl: read('PUBLIC_URL'),
    /** Absolute path. Contains the embedded database, media and secrets. */
    dataDir: read('DATA_DIR'),
    secretsFile: read('SECRETS_FILE'),
    databaseUrl: read('DATABASE_URL'),
    storage: readStorage(env),
    /** null: this process shares only the database with others. */
    redisUrl: read('REDIS_URL'),
    redisPrefix: read('REDIS_PREFIX'),
    /** Address ranges (CIDR) whose forwarded headers are trusted. */
    trustedProxies: read('TRUSTED_PROXIES'),
    corsOrigins: read('CORS_ORIGINS'),
    logLevel: read('LOG_LEVEL'),
    /** `port` on the loopback interface; `token` opens them on the public port. null: closed. */
    metrics: { port: read('METRICS_PORT'), token: read('METRICS_TOKEN') },
    sentryDsn: read('SENTRY_DSN'),
    tracesEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    limits: readLimits(env),
    /** Domains allowed for e-mail addresses, in lower case; empty: any. */
    registration: { who: read('REGISTRATION'), mailDomains: read('REGISTRATION_DOMAINS') },
    /** The language of notifications and mails for users who ask for none that we support. */
    defaultLanguage: read('DEFAULT_LANGUAGE'),
    ffmpegPath: read('FFMPEG_PATH'),
    push: readPush(env),
    webhookPrivateOrigins: read('WEBHOOK_PRIVATE_ORIGINS'),
    providers: readProviders(env),
    /** `provesAddresses`: mails are sent, so addresses can be verified; else they are written to files. */
    mail: { smtpUrl, provesAddresses: smtpUrl !== null, from: from ?? 'Afterglow <afterglow@localhost>' },
  }
}
