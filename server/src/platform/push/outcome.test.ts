import { reasons } from '@afterglow/contract/reasons'
import { describe, expect, test } from 'vitest'
import { outcomeOfFault, outcomeOfStatus, retryAfterSeconds, TooSlow } from './outcome.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['Fri, 20 Nov 2026 12:01:30 GMT', 90],
    ['Friday, 20-Nov-26 12:01:30 GMT', 90],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['99999999999', 86_400],
    ['Sun, 20 Nov 2044 11:00:00 GMT', 86_400],
  ])('Retry-After %s is %i seconds', (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds))

  test.each(['', 'soon', '-5', '1.5', '1e3', '0x10', 'Fri, 99 Nov 2026 12:01:30 GMT', undefined])(
    'Retry-After %s is ignored',
    header => expect(retryAfterSeconds(header, now)).toBeUndefined(),
  )
})

test.each([
  [200, 'delivered'],
  [201, 'delivered'],
  [204, 'delivered'],
  [301, 'refused'],
  [307, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'gone'],
  [408, 'later'],
  [410, 'gone'],
  [413, 'refused'],
  [418, 'refused'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
  [0, 'refused'],
])('status %i means %s', (status, result) => expect(outcomeOfStatus('fcm', status).result).toBe(result))

test('an error is described in our words, without its message', () => {
  const fault = Object.assign(new Error('connect to https://push/secret'), { code: 'ECONNREFUSED' })
  expect(outcomeOfFault('fcm', fault)).toEqual({ result: 'later', reason: reasons.refusesConnections('fcm') })
  expect(outcomeOfFault('fcm', new TooSlow())).toEqual({ result: 'later', reason: reasons.tooSlow('fcm') })
  expect(outcomeOfFault('fcm', new Error('secret'))).toEqual({ result: 'later', reason: reasons.lost('fcm') })
})
