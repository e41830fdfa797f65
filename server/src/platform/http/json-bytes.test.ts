import { expect, test } from 'vitest'
import { bytesOf, piecesOf } from './json-bytes.ts'

const texts = ['', 'ñ', 'a'.repeat(50), '👋'.repeat(900), 'й'.repeat(200_000), 'z'.repeat(300_000)]

test('what is written owns its bytes, whatever is written later, and however long: no pool of Node’s stays for it', () => {
  const all = texts.map(text => bytesOf(out => out.text(text)))
  for (const [at, bytes] of all.entries())
    expect([bytes.toString() === texts[at], bytes.buffer.byteLength]).toEqual([true, bytes.length])
  const joined = bytesOf(out => {
    for (const bytes of all) out.bytes(bytes)
    out.bytes(all[2] as Buffer, 10, 20)
  })
  expect(joined.toString() === `${texts.join('')}aaaaaaaaaa`).toBe(true)
})

test('pieces are found again where they begin and end', () => {
  const { json, starts } = piecesOf(texts, (out, text) => out.text(text))
  expect(texts.map((text, at) => json.toString('utf8', starts[at], starts[at + 1]) === text)).toEqual(
    texts.map(() => true),
  )
})
