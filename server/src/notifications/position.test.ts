import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorOf, cursorsOf, readCursor } from './position.ts'

const number = fc.integer({ min: 1, max: 2 ** 48 })
const snapshot = fc
  .tuple(number, fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 300 }))
  .map(([least, above]) => {
    const running = above.sort((a, b) => a - b).map(more => least + more)
    return `${least}:${(running.at(-1) ?? least) + 1}:${running.join(',')}`
  })

test('every position can be told by a cursor', () => {
  fc.assert(
    fc.property(snapshot, snapshot, number, (seen, next, id) => {
      expect(readCursor(cursorOf(seen))).toEqual({ seen })
      expect(readCursor(cursorsOf(seen, next)(id))).toEqual({ seen, next, id })
    }),
  )
})

test('a cursor without much going on is short, and with 100 transactions under way fits a URL', () => {
  expect(cursorsOf('123456789:123456789:', '123456791:123456791:')(987654321).length).toBeLessThan(35)
  const busy = `1000000:1000100:${Array.from({ length: 100 }, (_, at) => 1_000_000 + at).join(',')}`
  expect(cursorsOf(busy, busy)(987654321).length).toBeLessThan(600)
})

test('what is no cursor is none', () => {
  const hostile = [
    '',
    '~',
    '0',
    '1',
    '1.',
    '.1',
    '1.-1',
    '1.1~',
    '1.1~1.1',
    '1.1~1.1~',
    '1.1~1.1~1~1',
    '1.1~1.1~1.1',
    '1:1:',
    '0.5',
  ]
  const more = [
    '1.1.0.0',
    '1.5.5',
    '1.5.1.9',
    "1.1' or 1=1--",
    '1.1\n',
    'É.1',
    'zzzzzzzzzzz.zzzzzzzzzzz',
    '1.1~1.1~zzzzzzzzzzzz',
    '9'.repeat(8000),
  ]
  for (const cursor of [...hostile, ...more]) expect([cursor, readCursor(cursor)]).toEqual([cursor, undefined])
  fc.assert(fc.property(fc.string(), text => readCursor(text) === undefined || /^[0-9a-z.~]+$/.test(text)))
})
