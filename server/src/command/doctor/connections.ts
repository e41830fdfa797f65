import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import { pino } from 'pino'
import { channelProbe, tryUpgrade } from '../../platform/http/connections/try-upgrade.ts'
import { rootCause } from '../../platform/observability/root-cause.ts'
import { contactOf, openConfiguredPush } from '../../platform/push/configured-push.ts'
import { newVapidKeys } from '../../platform/push/web-push/vapid-keys.ts'
import type { Config } from '../../settings/config.ts'
import { examineErrorReports } from './error-reports.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'
import { examineProviders } from './providers.ts'

/** Checks connections in and out: clients to us, and us to mail, push and Redis. */
export async function examineWays(config: Config): Promise<Finding[]> {
  const inside = [examineAddress(config), examineProxies(config)]
  return [
    ...inside,
    ...(await examineChannel(config)),
    await examineMail(config),
    await examinePush(config),
    ...(await examineProviders(config)),
    ...(await examineErrorReports(config)),
    ...(await examineRedis(config)),
  ]
}

const isLoopback = (host: string) => /^(127\.|localhost$|::1$)/.test(host)

function examineAddress({ publicUrl, host }: Config): Finding {
  if (!publicUrl && isLoopback(host))
    return good('address', `Only this machine reaches it, at ${host}: fine for trying out.`)
  if (!publicUrl)
    return mind(
      'address',
      'PUBLIC_URL is not set, so links name whatever host a request came in by.',
      'Set it to where clients reach the service.',
    )
  if (!publicUrl.startsWith('https:'))
    return mind(
      'address',
      `${publicUrl} is not encrypted: passwords and photos travel openly.`,
      'Put a TLS proxy in front, and let PUBLIC_URL begin with https.',
    )
  return good('address', `Clients reach it at ${publicUrl}.`)
}

function examineProxies({ publicUrl, trustedProxies }: Config): Finding {
  if (publicUrl?.startsWith('https:') && trustedProxies.length === 0)
    return fault(
      'proxies',
      'PUBLIC_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is empty: everybody seems to come from its address, and shares one limit.',
      'Set TRUSTED_PROXIES to the address of the proxy, like 127.0.0.1.',
    )
  if (trustedProxies.some(range => range.endsWith('/0')))
    return fault(
      'proxies',
      'TRUSTED_PROXIES trusts every address: anybody may claim to be anywhere.',
      'Name only your proxies.',
    )
  return good(
    'proxies',
    trustedProxies.length ? `Forwarded addresses count from ${trustedProxies.join(', ')}.` : 'None is in front.',
  )
}

/** Opens a WebSocket where clients open theirs. */
async function examineChannel({ publicUrl }: Config): Promise<Finding[]> {
  if (!publicUrl) return []
  try {
    const found = await tryUpgrade(publicUrl, channelProbe)
    if (found === 'open') return [good('channel', `A WebSocket gets through at ${publicUrl}.`)]
    const what =
      found === 'lost'
        ? `The proxy at ${publicUrl} drops the Upgrade header of WebSockets`
        : `What answers at ${publicUrl} lets no WebSocket through`
    return [
      fault(
        'channel',
        `${what}: clients ask every few seconds instead, and everything comes later.`,
        'Let the proxy pass Upgrade and Connection on: docs/operators.md has the lines for nginx.',
      ),
    ]
  } catch (error) {
    const advice = 'Start the service, or look from a machine that reaches it.'
    return [mind('channel', `${publicUrl} cannot be reached from here: ${rootCause(error)}.`, advice)]
  }
}

/** Signs in to the mail server without sending anything. */
async function examineMail({ mail, publicUrl }: Config): Promise<Finding> {
  if (mail.smtpUrl === null)
    return mind('mail', 'Mails are written to DATA_DIR/mail.', 'Set SMTP_URL, or nobody can get back a password.')
  const patience = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 5000 }
  const transport = createTransport({ url: mail.smtpUrl, ...patience })
  try {
    await transport.verify()
    if (!publicUrl) return mind('mail', 'The mail server takes us.', 'Set PUBLIC_URL, so that mails carry links.')
    return good('mail', 'The mail server takes us.')
  } catch (error) {
    const {
      code = 'fault',
      responseCode,
      originalCode,
    } = error as Record<'code' | 'originalCode', string | undefined> & {
      responseCode?: number
    }
    // A mail server's answer may quote the password, so only its number is shown.
    const reason = originalCode ? rootCause(error) : `${code} ${responseCode ?? ''}`.trim()
    return fault('mail', `The mail server does not take us: ${reason}.`, 'Mend SMTP_URL, or the certificate there.')
  } finally {
    transport.close()
  }
}

async function examinePush(config: Config): Promise<Finding> {
  try {
    const push = openConfiguredPush(config, newVapidKeys(), pino({ level: 'silent' }))
    await push.close()
    const { fcmServiceAccount, apns } = config.push
    const ways = ['browsers', ...(fcmServiceAccount ? ['Android'] : []), ...(apns ? ['iOS'] : [])]
    if (contactOf(config) === undefined)
      return mind(
        'push',
        'Neither PUSH_CONTACT nor an https PUBLIC_URL is set: iPhones and Safari get no pushes.',
        'Set PUSH_CONTACT to your address, like mailto:you@party.example.',
      )
    return good('push', `Keys are there for ${ways.join(', ')}.`)
  } catch (error) {
    return fault('push', wordsOf(error), 'Mend FCM_SERVICE_ACCOUNT or APNS_KEY, or leave them out.')
  }
}

async function examineRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (!redisUrl) return []
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [good('redis', 'It answers.')]
  } catch (error) {
    return [
      mind(
        'redis',
        `It does not answer: ${rootCause(error)}.`,
        'Start it: until then each process counts limits and presence alone.',
      ),
    ]
  } finally {
    redis.disconnect()
  }
}
