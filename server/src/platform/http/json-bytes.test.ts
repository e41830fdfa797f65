import { expect, test } from 'vitest'
import { bytesOf } from './json-bytes.ts'

const texts = ['', 'ñ', 'a'.repeat(50), '👋'.repeat(900), 'й'.repeat(200_000), 'z'.repeat(300_000)]

test('written JSON owns its bytes, whatever is written later, and retains no pool of Node’s', () => {
  const all = texts.map(text => bytesOf(out => out.text(text)))
  for (const [at, bytes] of all.entries())
    expect([bytes.toString() === texts[at], bytes.buffer.byteLength]).toEqual([true, bytes.length])
  const joined = bytesOf(out => {
    for (const text of texts) out.text(text)
  })
  expect(joined.toString() === texts.join('')).toBe(true)
})
