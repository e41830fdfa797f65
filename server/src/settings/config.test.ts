import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, settings } from './config.ts'
import { WrongSetting } from './setting.ts'

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    processes: 1,
    work: { requests: true, jobs: true, films: true },
    publicUrl: null,
    dataDir: `${process.cwd()}/data`,
    secretsFile: null,
    databaseUrl: null,
    storage: { at: 'disk', from: null, directory: null, accelPrefix: null, sweepEveryDays: 1, rereadEveryDays: 1 },
    redisUrl: null,
    redisPrefix: null,
    trustedProxies: [],
    corsOrigins: [],
    defaultLanguage: 'en',
    logLevel: 'info',
    metrics: { port: null, token: null },
    sentryDsn: null,
    tracesEndpoint: null,
    registration: { who: 'open', mailDomains: [] },
    limits: {
      rateFactor: 1,
      signInsPerAddressPerMinute: 300,
      photosPerGuest: 200,
      photoBytesMax: 50 * 1024 * 1024,
      rawBytesMax: 256 * 1024 * 1024,
      photoPixelsMax: 100_000_000,
      attachmentBytesMax: 25 * 1024 * 1024,
      videoBytesMax: 2048 * 1024 * 1024,
      videoSecondsMax: 3600,
      personBytesMax: 100 * 1024 ** 3,
      guestBytesMax: 10 * 1024 ** 3,
      instanceBytesMax: null,
      freeBytesMin: 1024 * 1024 * 1024,
    },
    ffmpegPath: null,
    push: { strict: false, contact: null, privateOrigins: [], fcmServiceAccount: null, apns: null },
    webhookPrivateOrigins: [],
    providers: { google: null, apple: null, facebook: null, others: [] },
    mail: { smtpUrl: null, provesAddresses: false, from: 'Afterglow <afterglow@localhost>' },
  })
})

test('an empty value counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', CORS_ORIGINS: '' })).toEqual(readConfig({}))
})

test('the number of processes is that of the cores, or one that a machine can bear', () => {
  expect(readConfig({ PROCESSES: 'auto' }).processes).toBeGreaterThanOrEqual(1)
  expect(readConfig({ PROCESSES: '4' }).processes).toBe(4)
  for (const wrong of ['0', 'abc', '-1', '1.5', '65'])
    expect(() => readConfig({ PROCESSES: wrong })).toThrow(
      `PROCESSES is "${wrong}", but must be auto or a whole number from 1 to 64.`,
    )
  expect(() => readConfig({ ROLE: 'web' })).toThrow('ROLE is "web", but must be one of all, api, media, jobs.')
})

test('Apple’s settings are set as a whole or not at all', () => {
  const apns = {
    APNS_KEY: '/k.p8',
    APNS_KEY_ID: 'ABCDEFGHIJ',
    APNS_TEAM_ID: 'KLMNOPQRST',
    APNS_TOPIC: 'com.example.party',
  }
  const read = { key: '/k.p8', keyId: 'ABCDEFGHIJ', teamId: 'KLMNOPQRST', topic: 'com.example.party' }
  expect(readConfig(apns).push.apns).toEqual(read)
  for (const name of Object.keys(apns)) expect(() => readConfig({ ...apns, [name]: '' })).toThrow('belong together')
})

test('a bucket on S3 is named by a URL, with its keys beside it', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret word' }
  const STORAGE = 's3://party-photos/a/b/?endpoint=https://s3.party.example&region=eu-west-1&path_style=1'
  const at = { bucket: 'party-photos', prefix: 'a/b', region: 'eu-west-1', pathStyle: true }
  const read = { endpoint: 'https://s3.party.example', keys: { accessKeyId: 'id', secretAccessKey: 'secret word' } }
  expect(readConfig({ ...keys, STORAGE, STORAGE_FROM: 'disk' }).storage).toEqual({
    at: { ...at, ...read },
    from: 'disk',
    directory: null,
    accelPrefix: null,
    sweepEveryDays: 1,
    rereadEveryDays: 1,
  })
  expect(readConfig({ ...keys, STORAGE: 's3://party-photos' }).storage.at).toMatchObject({
    prefix: '',
    endpoint: null,
    region: 'us-east-1',
    pathStyle: false,
  })
  expect(readConfig({ ...keys, AWS_SESSION_TOKEN: 'token', STORAGE }).storage.at).toMatchObject({
    keys: { ...read.keys, sessionToken: 'token' },
  })
  expect(readConfig({ STORAGE }).storage.at).toMatchObject({ keys: null })
  for (const name of Object.keys(keys))
    expect(() => readConfig({ ...keys, [name]: '', STORAGE })).toThrow(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: one of them is missing.',
    )
  expect(() => readConfig({ STORAGE_FROM: 'disk' })).toThrow('STORAGE_FROM is the same place as STORAGE.')
})

test('files that a proxy sends are on disk, below a path of its own', () => {
  expect(readConfig({ MEDIA_X_ACCEL: '/stored' }).storage.accelPrefix).toBe('/stored')
  for (const MEDIA_X_ACCEL of ['stored', '/', '/stored/', '/a b', '/../etc'])
    expect(() => readConfig({ MEDIA_X_ACCEL })).toThrow(/but must be a path like \/stored/)
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'word' }
  expect(() => readConfig({ ...keys, MEDIA_X_ACCEL: '/stored', STORAGE: 's3://party-photos' })).toThrow(
    'MEDIA_X_ACCEL is for files on disk: STORAGE must be disk and STORAGE_FROM unset.',
  )
})

test.each([
  'S3',
  's3://',
  's3://Bucket',
  's3://bucket/../x',
  's3://bucket?endpoint=bucket',
  's3://bucket?endpoint=https://s3.party.example/path',
  's3://bucket?path_style=yes',
  's3://bucket?colour=blue',
  's3://key:word@bucket',
  'https://bucket',
])('%s is no valid storage', STORAGE => {
  expect(() => readConfig({ STORAGE })).toThrow(/^STORAGE is ".*", but must be disk or a URL like s3:/)
})

test('providers are configured by name, own ones by number', () => {
  const { providers } = readConfig({
    GOOGLE_CLIENT_IDS: 'web.apps, ios.apps',
    GOOGLE_CLIENT_SECRET: 's',
    APPLE_CLIENT_IDS: 'com.example.party',
    OPENID_20_ISSUER: 'http://127.0.0.1:9000',
    OPENID_20_CLIENT_IDS: 'b',
    OPENID_12_ISSUER: 'https://login.example/realm',
    OPENID_12_NAME: 'The club',
    OPENID_12_CLIENT_IDS: 'a',
    OPENID_12_CLIENT_SECRET: 'secret',
  })
  expect(providers).toEqual({
    google: { clientIds: ['web.apps', 'ios.apps'], clientSecret: 's' },
    apple: { clientIds: ['com.example.party'], key: null },
    facebook: null,
    others: [
      { type: 12, name: 'The club', issuer: 'https://login.example/realm', clientIds: ['a'], clientSecret: 'secret' },
      { type: 20, name: '127.0.0.1', issuer: 'http://127.0.0.1:9000', clientIds: ['b'], clientSecret: null },
    ],
  })
  expect(() => readConfig({ OPENID_12_ISSUER: 'https://login.example' })).toThrow('needs OPENID_12_CLIENT_IDS')
  expect(() => readConfig({ APPLE_KEY: '/k.p8' })).toThrow('belong together')
})

test('a mail server needs a sender', () => {
  expect(() => readConfig({ SMTP_URL: 'smtp://mail' })).toThrow('SMTP_URL needs MAIL_FROM')
  const mail = { SMTP_URL: 'smtps://me:pw@mail:465', MAIL_FROM: 'Party <party@example.com>' }
  expect(readConfig(mail).mail).toEqual({ smtpUrl: mail.SMTP_URL, provesAddresses: true, from: mail.MAIL_FROM })
})

test.each([
  ['https://Club.example/Party/', 'https://club.example/Party'],
  ['https://club.example:443/a/b', 'https://club.example/a/b'],
  ['http://club.example/./old/../party-2027', 'http://club.example/party-2027'],
])('a public URL of %s is %s', (given, read) => expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(read))

test('lists may have spaces, a public URL may end in a slash', () => {
  const config = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,', PUBLIC_URL: 'https://Party.example/' })
  expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1'])
  expect(config.publicUrl).toBe('https://party.example')
})

test.each([
  ['PORT', '70000', 'PORT is "70000", but must be a whole number from 0 to 65535.'],
  ['PORT', '0x10', 'PORT is "0x10", but must be a whole number from 0 to 65535.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud", but must be one of fatal, error, warn, info, debug, silent.'],
  ['RATE_LIMIT_FACTOR', '0', 'RATE_LIMIT_FACTOR is "0", but must be a number above 0, at most 1000000.'],
])('%s=%s is refused with a sentence', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(new WrongSetting(sentence))
})

test.each([
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'https://club.example//party'],
  ['PUBLIC_URL', 'https://club.example/party//'],
  ['PUBLIC_URL', 'https://club.example/fête'],
  ['PUBLIC_URL', 'https://club.example/f%C3%AAte'],
  ['PUBLIC_URL', 'https://club.example/party.html'],
  ['PUBLIC_URL', 'https://club.example/party?at=7'],
  ['PUBLIC_URL', 'https://club.example/party#top'],
  ['PUBLIC_URL', 'https://olivia@club.example/party'],
  ['PUBLIC_URL', 'https://club.example/events'],
  ['PUBLIC_URL', 'https://club.example/j/party'],
  ['PUBLIC_URL', 'ftp://party.example'],
  ['DATABASE_URL', 'mysql://localhost/afterglow'],
  ['REDIS_URL', 'http://localhost:6379'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'true'],
  ['CORS_ORIGINS', 'https://party.example,*'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://*.party.example'],
  ['CORS_ORIGINS', 'capacitor://*'],
  ['CORS_ORIGINS', 'https://party.example/path'],
  ['SIGN_INS_PER_ADDRESS', '0'],
  ['PHOTOS_PER_GUEST', '-1'],
  ['PHOTO_MB_MAX', '1.5'],
  ['PHOTO_MEGAPIXELS_MAX', '1e3'],
  ['ATTACHMENT_MB_MAX', 'many'],
  ['METRICS_PORT', '-1'],
  ['METRICS_TOKEN', 'too short'],
  ['SENTRY_DSN', 'https://errors.party.example/1'],
  ['NOTIFY_STRICT', 'yes'],
  ['DEFAULT_LANGUAGE', 'tlh'],
  ['PUSH_CONTACT', 'you@party.example'],
  ['APNS_KEY_ID', 'short'],
  ['SMTP_URL', 'http://mail'],
  ['MAIL_FROM', 'Party'],
  ['OPENID_10_ISSUER', 'http://login.example'],
  ['OPENID_10_ISSUER', 'https://login.example?tenant=1'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}", but must be `)
})

test('a wrong database URL is reported without its password', () => {
  expect(() => readConfig({ DATABASE_URL: 'http://me:planted-secret@db/x' })).toThrow('"http://me:…@db/x"')
})

test('docs/settings.md lists every setting with its default', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter(line => line.startsWith('| `'))
  const missing = Object.entries(settings)
    .filter(([name, setting]) => !rows.some(row => row.startsWith(`| \`${name}\` `) && row.includes(setting.default)))
    .map(([name]) => name)
  expect(missing).toEqual([])
})
