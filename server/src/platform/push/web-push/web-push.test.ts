import { createPublicKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasons } from '@afterglow/contract/reasons'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { later } from '../../../../test/later.ts'
import { readJwt } from '../../../../test/push/jwt.ts'
import { pushMessage } from '../../../../test/push/push-message.ts'
import { openWebPushService, type WebPushAnswer } from '../../../../test/push/web-push-service.ts'
import { CannotStart } from '../../process/cannot-start.ts'
import { newVapidKeys } from './vapid-keys.ts'
import { openWebPush, type WebPush, type WebPushOptions } from './web-push.ts'

// A busy machine is no push service that hangs.
const timeoutMs = 60_000
const shortMs = 800
const keys = newVapidKeys()
const subject = 'mailto:host@party.example'

let service: Awaited<ReturnType<typeof openWebPushService>>
let webPush: WebPush
const opened: WebPush[] = []
const open = (changed: Partial<WebPushOptions> = {}) => {
  const privateOrigins = [service.origin]
  const sender = openWebPush({ keys, subject, privateOrigins, ca: service.ca, timeoutMs, ...changed })
  opened.push(sender)
  return sender
}

beforeAll(async () => {
  service = await openWebPushService()
  webPush = open()
})
afterAll(async () => {
  await Promise.all(opened.map(sender => sender.close()))
  await service.close()
})

describe('a push', () => {
  test('a push reaches the browser, which alone can read it', async () => {
    const browser = service.subscribe()
    const message = pushMessage({ body: 'שלום 👨‍👩‍👧‍👦', unread: 3 })
    expect(await webPush.send(browser.subscription, message)).toEqual({ result: 'delivered' })
    expect(browser.messages()).toEqual([message])
    expect(browser.deliveries[0]?.body.toString('latin1')).not.toContain('message')
    expect(browser.deliveries[0]?.headers).toMatchObject({
      ttl: '259200',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
    })
  })

  test('a push proves its sender: a signature for this service alone, valid for less than a day', async () => {
    const browser = service.subscribe()
    await webPush.send(browser.subscription, pushMessage())
    const [, token = '', key = ''] =
      /^vapid t=(.+), k=(.+)$/.exec(browser.deliveries[0]?.headers.authorization ?? '') ?? []
    expect(key).toBe(keys.publicKey)
    const { header, claims } = readJwt(token, publicKeyOf(key))
    expect(header).toEqual({ typ: 'JWT', alg: 'ES256' })
    expect(claims).toEqual({ aud: service.origin, sub: subject, exp: expect.any(Number) })
    const hours = (claims.exp - Date.now() / 1000) / 3600
    expect(hours).toBeGreaterThan(1)
    expect(hours).toBeLessThan(24)

    // Signing costs half as much as encrypting, so one signature serves for hours.
    await webPush.send(browser.subscription, pushMessage())
    expect(browser.deliveries[1]?.headers.authorization).toBe(browser.deliveries[0]?.headers.authorization)
  })

  test('a push replaces a waiting one of the same tag, and only that', async () => {
    const browser = service.subscribe()
    for (const tag of ['chat-7', 'chat-7', 'chat-8', '']) await webPush.send(browser.subscription, pushMessage({ tag }))
    const [first, second, third, fourth] = browser.deliveries.map(({ headers }) => headers.topic)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect(fourth).toBeUndefined()
  })

  test('a key never encrypts two pushes', async () => {
    const browser = service.subscribe()
    await Promise.all(Array.from({ length: 40 }, () => webPush.send(browser.subscription, pushMessage())))
    expect(new Set(browser.deliveries.map(({ body }) => body.toString('hex', 0, 16))).size).toBe(40)
    expect(new Set(browser.deliveries.map(({ body }) => body.toString('hex', 21, 86))).size).toBe(40)
  })

  test('a burst reuses the connections of the last one', async () => {
    const browser = service.subscribe(reply => setTimeout(() => reply.writeHead(201).end(), 20))
    const sender = open()
    const before = service.connections()
    const burst = () => Promise.all(Array.from({ length: 40 }, () => sender.send(browser.subscription, pushMessage())))
    await burst()
    await burst()
    expect(service.connections() - before).toBeLessThanOrEqual(40)
  })

  test('a push takes a persistent connection, and another if that was closed meanwhile', async () => {
    const browser = service.subscribe()
    const before = service.connections()
    for (let sent = 0; sent < 10; sent += 1) await webPush.send(browser.subscription, pushMessage())
    expect(service.connections() - before).toBeLessThanOrEqual(1)
    service.dropConnections()
    expect(await webPush.send(browser.subscription, pushMessage())).toEqual({ result: 'delivered' })
  })
})

const says =
  (status: number, headers: Record<string, string> = {}): WebPushAnswer =>
  reply =>
    reply.writeHead(status, headers).end('{"reason":"whatever"}')

describe('what the service answers', () => {
  test.each<[status: number, headers: Record<string, string>, outcome: object]>([
    [200, {}, { result: 'delivered' }],
    [202, {}, { result: 'delivered' }],
    [400, {}, { result: 'refused' }],
    [401, {}, { result: 'refused' }],
    [403, {}, { result: 'refused' }],
    [404, {}, { result: 'gone' }],
    [406, {}, { result: 'later' }],
    [410, {}, { result: 'gone' }],
    [413, {}, { result: 'refused' }],
    [429, {}, { result: 'later' }],
    [429, { 'Retry-After': '30' }, { result: 'later', retryAfterSeconds: 30 }],
    [500, {}, { result: 'later' }],
    [503, { 'Retry-After': '5' }, { result: 'later', retryAfterSeconds: 5 }],
  ])('%i with %j', async (status, headers, outcome) => {
    const { subscription } = service.subscribe(says(status, headers))
    expect(await webPush.send(subscription, pushMessage())).toMatchObject(outcome)
  })

  test('a Retry-After may be a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    const { subscription } = service.subscribe(says(429, { 'Retry-After': date }))
    const outcome = await webPush.send(subscription, pushMessage())
    expect(outcome).toMatchObject({ result: 'later', retryAfterSeconds: expect.any(Number) })
    expect('retryAfterSeconds' in outcome && outcome.retryAfterSeconds).toBeGreaterThan(55)
    expect('retryAfterSeconds' in outcome && outcome.retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async status => {
    const target = service.subscribe()
    const { subscription } = service.subscribe(says(status, { Location: target.subscription.endpoint }))
    expect(await webPush.send(subscription, pushMessage())).toMatchObject({ result: 'refused' })
    expect(target.deliveries).toEqual([])
  })

  test('an endless answer counts, and holds nothing up', async () => {
    let cut = false
    const endless = service.subscribe(reply => {
      reply.writeHead(201)
      const pour = setInterval(() => reply.write('x'.repeat(8_192)), 1)
      reply.on('close', () => {
        cut = true
        clearInterval(pour)
      })
    })
    expect(await webPush.send(endless.subscription, pushMessage())).toEqual({ result: 'delivered' })
    await expect.poll(() => cut).toBe(true)
  })
})

describe('a service in trouble', () => {
  test('a slow service is waited for', async () => {
    const { subscription } = service.subscribe(reply => void sleep(100).then(() => reply.writeHead(201).end()))
    expect(await webPush.send(subscription, pushMessage())).toEqual({ result: 'delivered' })
  })

  test('a hanging service is given up in time, however many wait, and the next is served', async () => {
    const hanging = service.subscribe(() => {})
    const sender = open({ timeoutMs: shortMs })
    const all = Array.from({ length: 300 }, () => sender.send(hanging.subscription, pushMessage()))
    for (const outcome of await Promise.all(all)) {
      expect(outcome).toEqual({ result: 'later', reason: reasons.tooSlow('browser') })
    }
    // Requests queued for a connection were given up with the rest, not after them.
    expect(hanging.deliveries.length).toBeLessThan(150)
    expect(await sender.send(service.subscribe().subscription, pushMessage())).toEqual({ result: 'delivered' })
  })

  test('a push is for later if the service breaks the connection', async () => {
    const { subscription, deliveries } = service.subscribe((_, request) => request.socket.destroy())
    expect(await open().send(subscription, pushMessage())).toMatchObject({ result: 'later' })
    expect(deliveries).toHaveLength(1)
  })

  test('a push is retried once over a new connection if persistent ones break on use', async () => {
    const served = new WeakSet<object>()
    let breaksAll = false
    const { subscription, deliveries } = service.subscribe((reply, { socket }) => {
      if (breaksAll || served.has(socket)) return socket.destroy()
      served.add(socket)
      setTimeout(() => reply.writeHead(201).end(), 50) // so that those sent at once need a connection each
    })
    const sender = open()
    await Promise.all(Array.from({ length: 8 }, () => sender.send(subscription, pushMessage())))
    expect(await sender.send(subscription, pushMessage())).toEqual({ result: 'delivered' })
    const before = deliveries.length
    breaksAll = true
    expect(await sender.send(subscription, pushMessage())).toMatchObject({ result: 'later' })
    expect(deliveries.length - before).toBe(2)
  })

  test('a push to an absent service is for later', async () => {
    const away = await openWebPushService()
    const { subscription } = away.subscribe()
    await away.close()
    const outcome = await open({ privateOrigins: [away.origin] }).send(subscription, pushMessage())
    expect(outcome).toEqual({ result: 'later', reason: reasons.refusesConnections('browser') })
  })

  test('a service with an untrusted certificate gets nothing', async () => {
    const { subscription, deliveries } = service.subscribe()
    expect(await open({ ca: undefined }).send(subscription, pushMessage())).toMatchObject({
      result: 'later',
      reason: reasons.untrustedCertificate('browser'),
    })
    expect(deliveries).toEqual([])
  })
})

test.each(['', 'host@party.example', 'http://party.example'])('startup fails on a contact %j', contact => {
  expect(() => open({ subject: contact })).toThrow(CannotStart)
})

test('closing ends pushes in progress as for later', async () => {
  const sender = open()
  const { subscription, deliveries } = service.subscribe(() => {})
  const underWay = later(sender.send(subscription, pushMessage()))
  await expect.poll(() => deliveries.length).toBe(1)
  sender.close()
  expect(await underWay).toMatchObject({ result: 'later' })
  expect(await sender.send(subscription, pushMessage())).toMatchObject({ result: 'later' })
})

const publicKeyOf = (point: string) => {
  const bytes = Buffer.from(point, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map(half => half.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}
