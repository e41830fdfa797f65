import { reasons } from '@afterglow/contract/reasons'
import { expect, test } from 'vitest'
import { openBrowser } from '../../../../test/push/browser.ts'
import { faultOfSubscription } from './subscription.ts'

const { p256dh, auth } = openBrowser()
const subscription = { endpoint: 'https://push.example/1', p256dh, auth }
const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')

test('a browser’s subscription can be pushed to, in either form of base64', () => {
  expect(faultOfSubscription(subscription)).toBeNull()
  const base64 = (key: string) => Buffer.from(key, 'base64url').toString('base64')
  expect(faultOfSubscription({ ...subscription, p256dh: base64(p256dh), auth: base64(auth) })).toBeNull()
})

test.each([
  [{ endpoint: 'http://push.example/1' }, reasons.addressNotHttps],
  [{ endpoint: 'https://192.168.0.1/1' }, reasons.addressPrivate],
  [{ p256dh: offCurve }, reasons.keysNoKeys],
  [{ p256dh: '' }, reasons.keysNoKeys],
  [{ auth: 'AAAA' }, reasons.keysNoKeys],
  [{ auth: '' }, reasons.keysNoKeys],
])('a subscription with %j cannot be pushed to', (wrong, fault) =>
  expect(faultOfSubscription({ ...subscription, ...wrong })).toEqual(fault),
)

test('an allowed origin may be in a private network, others may not', () => {
  const at = (endpoint: string) => faultOfSubscription({ ...subscription, endpoint }, ['https://10.0.0.1:8443'])
  expect(at('https://10.0.0.1:8443/1')).toBeNull()
  expect(at('https://10.0.0.1/1')).not.toBeNull()
})
