import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursorOf, isGenuine, readCursor } from './position.ts'

const place = fc.integer({ min: 0, max: 2 ** 53 - 1 })
const history = fc.stringMatching(/^[0-9a-f]{12}$/)
const cursorKey = Buffer.alloc(32, 7)

test('a cursor can express every position, and proves itself', () => {
  fc.assert(
    fc.property(history, place, (history, place) => {
      const cursor = readCursor(cursorOf({ history, cursorKey }, place))
      expect(cursor).toEqual({ history, place, proof: expect.any(String) })
      expect(cursor && isGenuine(cursor, { cursorKey })).toBe(true)
    }),
  )
})

test('a cursor for another position, another history or without the key is rejected', () => {
  const [text, key] = [cursorOf({ history: '0123456789ab', cursorKey }, 500), { cursorKey }]
  const proof = text.slice(-8)
  const forged = [`0123456789ab.dx.${proof}`, `1123456789ab.dw.${proof}`, `0123456789ab.dw.AAAAAAAA`]
  forged.push(cursorOf({ history: '0123456789ab', cursorKey: Buffer.alloc(32) }, 500))
  for (const cursor of forged) {
    const read = readCursor(cursor)
    expect([cursor, read && isGenuine(read, key)]).toEqual([cursor, false])
  }
})

test('a cursor stays short, however long the log is', () => {
  expect(cursorOf({ history: '0123456789ab', cursorKey }, 1e12).length).toBeLessThan(32)
})

test('a text that is not a cursor is refused as such', () => {
  const [a, b] = ['0123456789ab', 'AAAAAAAA']
  const hostile = ['', '.', '..', '0', '1', a, `${a}.1`, `${a}.1.`, `${a}..${b}`, `.1.${b}`, `${a}.1.${b}.1`]
  hostile.push(`${a}.-1.${b}`, `${a}.01.${b}`, `${a}.00.${b}`, `${a}.A.${b}`, `${a}.1.${b}\n`, `${a}.É.${b}`)
  hostile.push(
    `${a}.zzzzzzzzzzz.${b}`,
    `${a}1.1.${b}`,
    `${a.toUpperCase()}.1.${b}`,
    `${a}.1.AAAAAAA=`,
    `${a}.1.AAAAAAAAA`,
  )
  hostile.push(`${a}.1' or 1=1--.${b}`, '1.1~1.1~1', '1:1:', '9'.repeat(8000))
  for (const cursor of hostile) expect([cursor, readCursor(cursor)]).toEqual([cursor, undefined])
  fc.assert(fc.property(fc.string(), text => readCursor(text) === undefined || /^[\w.-]+$/.test(text)))
})
