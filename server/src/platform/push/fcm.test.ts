import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasons } from '@afterglow/contract/reasons'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openGoogle } from '../../../test/push/google.ts'
import { saying } from '../../../test/push/http2-service.ts'
import { authority as ca } from '../../../test/push/loopback-tls.ts'
import { pushMessage } from '../../../test/push/push-message.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { type Fcm, openFcm } from './fcm.ts'
import { readServiceAccount } from './google-sign-in.ts'

let google: Awaited<ReturnType<typeof openGoogle>>
let fcm: Fcm
const open = (changed = {}) =>
  openFcm({ serviceAccount: google.serviceAccount, origin: google.origin, ca, timeoutMs: 5_000, ...changed })
beforeAll(async () => {
  google = await openGoogle()
})
beforeEach(() => {
  google.reset()
  fcm = open()
})
afterEach(() => fcm.close())
afterAll(() => google.close())

const delivered = { result: 'delivered' }
const send = (changed = {}) => fcm.send('device-token-1', pushMessage(changed))
const fault = (code: number, errorCode: string) => ({
  error: {
    code,
    message: 'for the eyes of developers',
    details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
  },
})

describe('a push', () => {
  test('a push carries what Android shows and what the app opens', async () => {
    expect(await send({ unread: 3 })).toEqual(delivered)
    const [call] = google.messages()
    expect(call?.path).toBe('/v1/projects/party-1/messages:send')
    expect(call?.headers).toMatchObject({ ':method': 'POST', 'content-type': 'application/json' })
    expect(JSON.parse(call?.body ?? '')).toEqual({
      message: {
        token: 'device-token-1',
        notification: { title: 'Summer party', body: 'Noor: who brings the lanterns?' },
        data: { id: '31', kind: 'message', link: '/chats/7', tag: 'chat-7', unread: '3' },
        android: {
          priority: 'HIGH',
          ttl: '259200s',
          collapse_key: 'chat-7',
          notification: { channel_id: 'notifications', tag: 'chat-7', notification_count: 3 },
        },
      },
    })
  })

  test('a push shows a picture if phones can fetch it, and names all of them to the app', async () => {
    const images = ['/media/1/preview?s=a', '/media/2/preview?s=b']
    for (const publicUrl of [undefined, 'http://127.0.0.1:3000', 'https://party.example']) {
      const opened = open({ publicUrl })
      expect(await opened.send('device-token-1', pushMessage({ images }))).toEqual(delivered)
      opened.close()
    }
    const told = google.messages().map(({ body }) => JSON.parse(body).message)
    expect(told.map(({ notification }) => notification.image)).toEqual([
      undefined,
      undefined,
      'https://party.example/media/1/preview?s=a',
    ])
    expect(told.map(({ data }) => data.images)).toEqual([
      undefined,
      undefined,
      'https://party.example/media/1/preview?s=a https://party.example/media/2/preview?s=b',
    ])
  })

  test('a push stays under 3 KB beside its token, and a quoted token is still one', async () => {
    const token = `"},"x":{"${'t'.repeat(200)}`
    expect(await fcm.send(token, pushMessage({ body: '"\n'.repeat(9_000) }))).toEqual(delivered)
    const { message } = JSON.parse(google.messages()[0]?.body ?? '')
    expect(message.token).toBe(token)
    expect(Buffer.byteLength(JSON.stringify({ ...message, token: undefined }))).toBeLessThan(3 * 1024)
    expect(await fcm.send('', pushMessage())).toMatchObject({ result: 'gone' })
  })
})

describe('signing in', () => {
  test('a sign-in takes the form that Google wants, once for a hundred pushes', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send()))
    expect(outcomes.filter(({ result }) => result === 'delivered')).toHaveLength(100)
    await send()
    const [signIn, ...more] = google.signIns()
    expect(more).toEqual([])
    expect(new URLSearchParams(signIn?.body).get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { header, claims } = google.readAssertion(signIn?.body ?? '')
    expect(header).toMatchObject({ alg: 'RS256', kid: 'key-1' })
    expect(claims).toMatchObject({
      iss: 'push@party-1.example',
      aud: `${google.origin}/token`,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    })
    expect(claims.exp - claims.iat).toBe(3600)
    expect(new Set(google.messages().map(({ session }) => session)).size).toBe(1)
  })

  test('a token is renewed before it expires', async () => {
    google.lifetimeSeconds.current = 0.2
    await send()
    await sleep(110)
    await send()
    expect(google.signIns()).toHaveLength(2)
  })

  test('a rejected token is replaced once for all pushes', async () => {
    await send()
    google.revokeAll()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(outcomes.every(({ result }) => result === 'delivered')).toBe(true)
    expect(google.signIns()).toHaveLength(2)
  })

  test.each([
    [saying(400, { error: 'invalid_grant' }), { result: 'refused' }],
    [saying(401), { result: 'refused' }],
    [saying(404), { result: 'refused' }],
    [saying(429, {}, { 'retry-after': '9' }), { result: 'later', retryAfterSeconds: 9 }],
    [saying(503), { result: 'later' }],
    [saying(200, { access_token: '' }), { result: 'later' }],
    [saying(200, 'nonsense'), { result: 'later' }],
  ])('a failed sign-in is the outcome, and is not tried for every push (case %#)', async (answer, outcome) => {
    google.signsIn(answer)
    expect(await send()).toMatchObject(outcome)
    expect(await send()).toMatchObject(outcome)
    expect(google.signIns()).toHaveLength(1)
    expect(google.messages()).toEqual([])
  })
})

describe('an answer of FCM’s', () => {
  test.each([
    ['404 UNREGISTERED', saying(404, fault(404, 'UNREGISTERED')), { result: 'gone' }],
    ['404 for the project', saying(404, { error: { code: 404, status: 'NOT_FOUND' } }), { result: 'refused' }],
    ['400', saying(400, fault(400, 'INVALID_ARGUMENT')), { result: 'refused' }],
    [
      '400 for the token',
      saying(400, { error: { details: [{ fieldViolations: [{ field: 'message.token', description: 'x' }] }] } }),
      { result: 'gone' },
    ],
    [
      '400 for another field',
      saying(400, { error: { details: [{ fieldViolations: [{ field: 'message.android' }] }] } }),
      { result: 'refused' },
    ],
    ['401', saying(401, fault(401, 'THIRD_PARTY_AUTH_ERROR')), { result: 'refused' }],
    ['403', saying(403, fault(403, 'SENDER_ID_MISMATCH')), { result: 'refused' }],
    ['403 of the account', saying(403, { error: { status: 'PERMISSION_DENIED' } }), { result: 'refused' }],
    ['413', saying(413), { result: 'refused' }],
    [
      '429',
      saying(429, fault(429, 'QUOTA_EXCEEDED'), { 'retry-after': '60' }),
      { result: 'later', retryAfterSeconds: 60 },
    ],
    ['500', saying(500, fault(500, 'INTERNAL')), { result: 'later' }],
    ['503', saying(503, fault(503, 'UNAVAILABLE'), { 'retry-after': '2' }), { result: 'later', retryAfterSeconds: 2 }],
    ['503 with nonsense', saying(503, [null]), { result: 'later' }],
  ])('%s', async (_, answer, outcome) => {
    google.takes(answer)
    expect(await send()).toMatchObject(outcome)
  })

  test('a 429 with a date delays until then', async () => {
    google.takes(saying(429, {}, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }))
    const outcome = await send()
    expect('retryAfterSeconds' in outcome && outcome.retryAfterSeconds).toBeGreaterThan(55)
  })

  test('a missing answer, at sign-in or sending, is for later', async () => {
    fcm = open({ timeoutMs: 800 })
    google.signsIn(() => {})
    expect(await send()).toEqual({ result: 'later', reason: reasons.tooSlow('googleSignIn') })
    google.signsIn(google.grant)
    google.takes(() => {})
    fcm.close()
    fcm = open({ timeoutMs: 800 })
    expect(await send()).toEqual({ result: 'later', reason: reasons.tooSlow('fcm') })
  })

  test('a slow answer is waited for', async () => {
    google.takes(call => void sleep(100).then(() => google.accept(call)))
    expect(await send()).toEqual(delivered)
  })
})

test('startup fails on an unusable service account, without quoting it', () => {
  const pem = (type: 'rsa' | 'ec') =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ).privateKey
      .export({ type: 'pkcs8', format: 'pem' })
      .toString()
  const { account } = google
  const wrong = [
    '',
    '{}',
    '{"private_key":"planted',
    JSON.stringify({ ...account, private_key: 'planted' }),
    JSON.stringify({ ...account, private_key: pem('ec') }),
    JSON.stringify({ ...account, project_id: '../planted' }),
    JSON.stringify({ ...account, token_uri: 'http://planted.example' }),
  ]
  for (const json of wrong) {
    expect(() => readServiceAccount(json), json).toThrow(CannotStart)
    expect(() => readServiceAccount(json)).not.toThrow(/planted/)
  }
  expect(
    readServiceAccount(JSON.stringify({ ...account, token_uri: undefined, private_key: pem('rsa') })).tokenUrl.href,
  ).toBe('https://oauth2.googleapis.com/token')
})
