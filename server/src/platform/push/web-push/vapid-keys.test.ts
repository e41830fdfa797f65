import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { newVapidKeys, vapidKeysShape } from './vapid-keys.ts'

test('a fresh pair is a P-256 key pair, valid in its stored form, and always different', () => {
  const keys = newVapidKeys()
  expect(vapidKeysShape.parse(JSON.parse(JSON.stringify(keys)))).toEqual(keys)
  const point = Buffer.from(keys.publicKey, 'base64url')
  expect(point[0]).toBe(4)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey }
  expect(() => createPrivateKey({ key: jwk, format: 'jwk' })).not.toThrow()
  expect(newVapidKeys()).not.toEqual(keys)
})

test.each([
  ['two halves of different pairs', { ...newVapidKeys(), privateKey: newVapidKeys().privateKey }],
  ['a short key', { ...newVapidKeys(), privateKey: 'AAAA' }],
  ['no key', { ...newVapidKeys(), privateKey: '' }],
  ['half a pair', { publicKey: newVapidKeys().publicKey }],
])('%s are no pair', (_, keys) => expect(vapidKeysShape.safeParse(keys).success).toBe(false))
