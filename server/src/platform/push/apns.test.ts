import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasons } from '@afterglow/contract/reasons'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deviceToken, openApple } from '../../../test/push/apple.ts'
import { type Call, saying } from '../../../test/push/http2-service.ts'
import { readJwt } from '../../../test/push/jwt.ts'
import { pushMessage } from '../../../test/push/push-message.ts'
import { CannotStart } from '../process/cannot-start.ts'
import type { Apns } from './apns.ts'

let apple: Awaited<ReturnType<typeof openApple>>
let apns: Apns
beforeAll(async () => {
  apple = await openApple()
})
beforeEach(() => {
  apple.reset()
  apns = apple.openApns()
})
afterEach(() => apns.close())
afterAll(() => apple.close())

const delivered = { result: 'delivered' }
const send = (changed = {}) => apns.send(deviceToken, pushMessage(changed))
const bearer = (call: Call | undefined) => call?.headers.authorization?.replace('bearer ', '') ?? ''

describe('a push', () => {
  test('a push carries what iOS shows and what the app opens', async () => {
    expect(await send({ unread: 3 })).toEqual(delivered)
    const [call] = apple.calls
    expect(call?.path).toBe(`/3/device/${deviceToken}`)
    expect(call?.headers).toMatchObject({
      ':method': 'POST',
      'apns-topic': 'example.party',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': 'chat-7',
    })
    const hours = (Number(call?.headers['apns-expiration']) - Date.now() / 1000) / 3600
    expect(hours).toBeCloseTo(72, 1)
    expect(JSON.parse(call?.body ?? '')).toEqual({
      aps: {
        alert: { title: 'Summer party', body: 'Noor: who brings the lanterns?' },
        sound: 'default',
        badge: 3,
        'thread-id': 'chat-7',
      },
      id: '31',
      kind: 'message',
      link: '/chats/7',
      tag: 'chat-7',
    })
  })

  test('a push has pictures for the app’s service extension', async () => {
    const opened = apple.openApns({ publicUrl: 'https://party.example' })
    expect(await opened.send(deviceToken, pushMessage({ images: ['/media/1/preview?s=a'] }))).toEqual(delivered)
    expect(await opened.send(deviceToken, pushMessage())).toEqual(delivered)
    opened.close()
    const [shown, plain] = apple.calls.map(({ body }) => JSON.parse(body))
    expect(shown).toMatchObject({
      aps: { 'mutable-content': 1 },
      images: ['https://party.example/media/1/preview?s=a'],
    })
    expect(plain.aps).not.toHaveProperty('mutable-content')
  })

  test('a push stays under 3 KB', async () => {
    expect(await send({ body: 'ฎ"'.repeat(9_000) })).toEqual(delivered)
    expect(Buffer.byteLength(apple.calls[0]?.body ?? '')).toBeLessThan(3 * 1024)
  })

  test('a push has a collapse id only with a tag, of at most 64 bytes', async () => {
    for (const tag of ['', 't'.repeat(64), 't'.repeat(65), 'été', 'a b', 'a\r\nx: y']) {
      expect(await send({ tag }), tag).toEqual(delivered)
    }
    const ids = apple.calls.map(({ headers }) => headers['apns-collapse-id'])
    expect(ids[0]).toBeUndefined()
    expect(ids[1]).toBe('t'.repeat(64))
    for (const id of ids.slice(2)) expect(id).toMatch(/^[\w-]{32}$/)
  })

  test.each(['', 'xyz', '../../etc', `${deviceToken}\r\n`, 'ab'.repeat(200)])('%j is no device token', async wrong => {
    expect(await apns.send(wrong, pushMessage())).toMatchObject({ result: 'gone' })
    expect(apple.calls).toEqual([])
  })
})

describe('the provider token', () => {
  test('one provider token, signed by our key, serves all pushes', async () => {
    await Promise.all(Array.from({ length: 50 }, () => send()))
    expect(new Set(apple.calls.map(bearer)).size).toBe(1)
    const { header, claims } = readJwt(bearer(apple.calls[0]), apple.publicKey)
    expect(header).toEqual({ alg: 'ES256', kid: 'KEY1' })
    expect(claims).toEqual({ iss: 'TEAM1', iat: expect.any(Number) })
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(5)
  })

  test('the provider token is renewed after its time, and at once when Apple finds it expired', async () => {
    apns = apple.openApns({ renewTokenAfterMs: 100 })
    await send()
    await sleep(110)
    await send()
    expect(bearer(apple.calls[1])).not.toBe(bearer(apple.calls[0]))

    apns = apple.openApns()
    let refusals = 0
    apple.answers(call => (refusals++ === 0 ? saying(403, { reason: 'ExpiredProviderToken' }) : saying(200))(call))
    expect(await send()).toEqual(delivered)
    expect(bearer(apple.calls.at(-1))).not.toBe(bearer(apple.calls.at(-2)))
    apple.answers(saying(403, { reason: 'ExpiredProviderToken' }))
    expect(await send()).toEqual({ result: 'refused', reason: reasons.clock('apns', 403) })
  })

  test('startup fails on a malformed key', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString()
    for (const wrong of ['', 'planted', rsa]) {
      expect(() => apple.openApns({ key: wrong })).toThrow(CannotStart)
      expect(() => apple.openApns({ key: wrong })).not.toThrow(/planted/)
    }
  })
})

describe('an answer of Apple’s', () => {
  test.each([
    [410, 'Unregistered', {}, { result: 'gone' }],
    [410, 'ExpiredToken', {}, { result: 'gone' }],
    [400, 'BadDeviceToken', {}, { result: 'gone' }],
    [400, 'DeviceTokenNotForTopic', {}, { result: 'refused' }],
    [400, 'PayloadEmpty', {}, { result: 'refused' }],
    [400, 'constructor', {}, { result: 'refused', reason: reasons.misunderstood('apns', 400) }],
    [400, 'IdleTimeout', {}, { result: 'later' }],
    [403, 'InvalidProviderToken', {}, { result: 'refused', reason: reasons.key('apns', 403) }],
    [401, '', {}, { result: 'refused' }],
    [404, 'BadPath', {}, { result: 'refused' }],
    [413, 'PayloadTooLarge', {}, { result: 'refused' }],
    [429, 'TooManyRequests', {}, { result: 'later' }],
    [429, 'TooManyProviderTokenUpdates', { 'retry-after': '20' }, { result: 'later', retryAfterSeconds: 20 }],
    [500, 'InternalServerError', {}, { result: 'later' }],
    [503, 'Shutdown', { 'retry-after': '3' }, { result: 'later', retryAfterSeconds: 3 }],
  ])('%i %s', async (status, reason, headers, outcome) => {
    apple.answers(saying(status, { reason }, headers as Record<string, string>))
    expect(await send()).toMatchObject(outcome)
  })

  test('a 429 with a date delays until then', async () => {
    apple.answers(
      saying(429, { reason: 'TooManyRequests' }, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
    )
    const outcome = await send()
    expect('retryAfterSeconds' in outcome && outcome.retryAfterSeconds).toBeGreaterThan(55)
  })

  test('an answer that is no JSON or never ends is handled', async () => {
    apple.answers(({ stream }) => {
      stream.respond({ ':status': 410 })
      stream.end('<html>')
    })
    expect(await send()).toMatchObject({ result: 'gone' })
    apple.answers(({ stream }) => {
      stream.respond({ ':status': 503 })
      const pour = setInterval(() => stream.write('x'.repeat(8_192)), 1)
      stream.on('close', () => clearInterval(pour))
    })
    const start = performance.now()
    expect(await send()).toMatchObject({ result: 'later', reason: reasons.trouble('apns', 503) })
    expect(performance.now() - start).toBeLessThan(2_500)
    apns = apple.openApns({ timeoutMs: 800 })
    apple.answers(({ stream }) => {
      stream.respond({ ':status': 200 })
    })
    expect(await send()).toEqual(delivered)
  })
})
