import { generateKeyPairSync } from 'node:crypto'
import { Writable } from 'node:stream'
import { reasons } from '@afterglow/contract/reasons'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openGoogle } from '../../../test/push/google.ts'
import { openHttp2Service, saying } from '../../../test/push/http2-service.ts'
import { authority as ca } from '../../../test/push/loopback-tls.ts'
import { pushMessage } from '../../../test/push/push-message.ts'
import { openWebPushService } from '../../../test/push/web-push-service.ts'
import { sayReasons } from '../../words/reasons.ts'
import type { Outcome } from './outcome.ts'
import { openPush, type Push, type PushAddress } from './senders.ts'
import { newVapidKeys } from './web-push/vapid-keys.ts'

const timeoutMs = 1_000
const keys = newVapidKeys()
const apnsKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const androidToken = 'planted-android-token'
const iosToken = 'abcdef0123456789'.repeat(4)

let web: Awaited<ReturnType<typeof openWebPushService>>
let google: Awaited<ReturnType<typeof openGoogle>>
let apple: Awaited<ReturnType<typeof openHttp2Service>>
let push: Push
const lines: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  }),
)
const open = () =>
  openPush({
    webPush: { keys, subject: 'mailto:host@party.example', privateOrigins: [web.origin], ca, timeoutMs },
    fcm: { serviceAccount: google.serviceAccount, origin: google.origin, ca, timeoutMs },
    apns: { key: apnsKey, keyId: 'KEY1', teamId: 'TEAM1', topic: 'example.party', origin: apple.origin, ca, timeoutMs },
    log,
  })

beforeAll(async () => {
  web = await openWebPushService()
  google = await openGoogle()
  apple = await openHttp2Service(saying(200))
  push = open()
})
beforeEach(() => {
  lines.length = 0
})
afterAll(async () => {
  await push.close()
  await Promise.all([web.close(), google.close(), apple.close()])
})

test('one message reaches a browser, an Android and an iOS phone, each in its form', async () => {
  const browser = web.subscribe()
  const addresses: PushAddress[] = [
    { platform: 'web', subscription: browser.subscription },
    { platform: 'android', token: androidToken },
    { platform: 'ios', token: iosToken },
  ]
  for (const address of addresses) expect(await push.send(address, pushMessage())).toEqual({ result: 'delivered' })
  expect(push.ways).toEqual(['web', 'android', 'ios'])
  expect([browser.deliveries.length, google.messages().length, apple.calls.length]).toEqual([1, 1, 1])
  expect(lines).toEqual([])
})

test('a platform without configuration is refused with a reason', async () => {
  const none = openPush({ log })
  expect(none.ways).toEqual([])
  expect(await none.send({ platform: 'ios', token: iosToken }, pushMessage())).toEqual({
    result: 'refused',
    reason: reasons.noWayToIos,
  })
  await none.close()
})

test('a refusal is logged once a minute, however many there are', async () => {
  apple.answers(saying(403, { reason: 'InvalidProviderToken' }))
  for (let sent = 0; sent < 20; sent += 1) await push.send({ platform: 'ios', token: iosToken }, pushMessage())
  apple.answers(saying(413, { reason: 'PayloadTooLarge' }))
  await push.send({ platform: 'ios', token: iosToken }, pushMessage())
  expect(lines.map(line => JSON.parse(line).reason)).toEqual(
    [reasons.key('apns', 403), reasons.tooLarge('apns', 413)].map(one => sayReasons('en', [one])),
  )
})

test('a push without an address is our fault, and nothing throws', async () => {
  const nothing = { platform: 'ios' } as unknown as PushAddress
  const half = { platform: 'web', subscription: { endpoint: web.origin } } as unknown as PushAddress
  expect((await push.send(nothing, pushMessage())).result).toMatch(/gone|refused/)
  expect((await push.send(half, pushMessage())).result).toMatch(/gone|refused/)
  expect((await push.send({ platform: 'ios', token: iosToken }, null as never)).result).toBe('refused')
})

describe('secrets', () => {
  test('no log line or reason shows a secret, whatever the services answer', async () => {
    const outcomes: Outcome[] = []
    const send = async (address: PushAddress) => outcomes.push(await push.send(address, pushMessage()))
    const secrets = new Set<string>([keys.privateKey, apnsKey, androidToken, iosToken, google.account.private_key])
    for (const pem of [apnsKey, google.account.private_key]) secrets.add(pem.split('\n')[1] ?? '')
    const plantBrowser = (...answer: Parameters<typeof web.subscribe>) => {
      const { subscription } = web.subscribe(...answer)
      secrets.add(new URL(subscription.endpoint).pathname.split('/').at(-1) ?? '')
      secrets.add(subscription.p256dh).add(subscription.auth)
      return subscription
    }

    for (const status of [200, 302, 400, 401, 403, 404, 410, 413, 429, 500, 503]) {
      const echo = plantBrowser((reply, request) => {
        secrets.add(String(request.headers.authorization))
        reply.statusMessage = String(request.url)
        reply.writeHead(status, { Location: String(request.url), 'Retry-After': String(request.url) })
        reply.end(JSON.stringify({ ...request.headers, url: request.url }))
      })
      await send({ platform: 'web', subscription: echo })

      google.takes(call => {
        secrets.add(String(call.headers.authorization))
        const { token } = JSON.parse(call.body).message
        const details = [{ errorCode: token, fieldViolations: [{ field: token, description: token }] }]
        saying(status, { error: { message: token, status: token, details } }, { 'retry-after': token })(call)
      })
      await send({ platform: 'android', token: androidToken })

      apple.answers(call => {
        secrets.add(String(call.headers.authorization))
        saying(status, { reason: call.path.split('/').at(-1) }, { 'retry-after': call.path })(call)
      })
      await send({ platform: 'ios', token: iosToken })
    }

    const cut = plantBrowser((_, request) => request.socket.destroy())
    await send({ platform: 'web', subscription: cut })
    await send({ platform: 'web', subscription: plantBrowser(() => {}) })
    await send({ platform: 'web', subscription: { ...cut, endpoint: cut.endpoint.replace('https', 'http') } })
    await send({ platform: 'web', subscription: { ...cut, endpoint: cut.endpoint.replace('localhost', '10.0.0.1') } })
    google.takes(({ session }) => session.destroy())
    await send({ platform: 'android', token: androidToken })
    apple.answers(({ session }) => session.destroy())
    await send({ platform: 'ios', token: iosToken })
    const throwing = Object.defineProperty(pushMessage(), 'body', {
      get: () => {
        throw new Error(androidToken)
      },
    })
    outcomes.push(await push.send({ platform: 'ios', token: iosToken }, throwing))

    const shown = JSON.stringify(outcomes) + lines.join('')
    expect(new Set(outcomes.map(({ result }) => result)).size).toBe(4)
    expect(lines.length).toBeGreaterThan(5)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(8)
      expect(shown.includes(secret), `${secret} shows`).toBe(false)
    }
    expect(shown).not.toMatch(/planted|Bearer|vapid|lanterns/)
  })
})
