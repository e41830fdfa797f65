import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openHmac } from './hmac.ts'

it.each([0, 1, 32, 64])('an HMAC with a key of %i bytes equals Node’s', length => {
  const key = randomBytes(length)
  const hmac = openHmac(key)
  const byNode = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  for (const text of ['', 'media\n1\nfull', 'Ñandú 🌅', 'x'.repeat(341), 'short again', '中'.repeat(341)])
    expect(hmac(text), text).toBe(byNode(text))
})

it('a key or a text that is too long is refused', () => {
  expect(() => openHmac(randomBytes(65))).toThrow(RangeError)
  expect(() => openHmac(randomBytes(32))('x'.repeat(342))).toThrow(RangeError)
})
