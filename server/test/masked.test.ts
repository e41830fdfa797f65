import { expect, test } from 'vitest'
import { masked, maskedText } from './masked.ts'

const names = new Map<string | number, string>([
  [12, 'id'],
  ['gus', 'username'],
])

test('an id is replaced as a whole value or a path segment, and nowhere within another', () => {
  const reply = {
    id: 12,
    ids: ['12', 112, '120'],
    user: { user_username: 'gus', said: 'gus has 12' },
    at: 'http://127.0.0.1:3112/people/12?user=12&size=128',
    on: '2026-12-12T12:12:12Z',
  }
  const expected = {
    id: 'id',
    ids: ['id', 112, '120'],
    user: { user_username: 'username', said: 'gus has 12' },
    at: 'http://127.0.0.1:3112/people/id?user=id&size=128',
    on: '2026-12-12T12:12:12Z',
  }
  expect(masked(reply, names)).toEqual(expected)
  expect(maskedText(JSON.stringify(reply), names)).toEqual(expected)
  expect(maskedText('User not found!', names)).toBe('User not found!')
})
