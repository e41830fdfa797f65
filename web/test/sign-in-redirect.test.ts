import { expect, test } from 'vitest'
import { nextOf } from '../src/accounts/entry/next.ts'

test('signing in leads to an address of our own, and to no other however it is written', () => {
  for (const next of ['/events', '/j/abc?x=1#y', '/events/7/photos?by=3', '/'])
    expect(nextOf({ next })).toEqual({ next })
  const others = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'events',
    '',
  ]
  for (const next of others) expect(nextOf({ next })).toEqual({})
  expect(nextOf({})).toEqual({})
})
