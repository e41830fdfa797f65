import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pushMessage } from '../../../test/push/push-message.ts'
import { fit, jsonBytes, shorten, webForm, wireBytesMax } from './message.ts'

const sent = (changed = {}) => JSON.parse(fit(pushMessage(changed), webForm) ?? 'null')

describe('the wire form', () => {
  test('a message that fits travels unchanged', () => {
    expect(sent({ unread: 4 })).toEqual(pushMessage({ unread: 4 }))
    expect(Object.keys(sent())).toEqual(['id', 'kind', 'title', 'body', 'link', 'tag'])
  })

  test('the wire form has only the named fields', () => {
    expect(JSON.stringify(sent({ token: 'planted-secret' }))).not.toContain('planted-secret')
  })

  test('a long body is shortened before the title', () => {
    const { title, body, ...rest } = sent({ title: 'T'.repeat(300), body: 'b'.repeat(10_000) })
    expect(title).toBe('T'.repeat(300))
    expect(body).toMatch(/^b{2000,}…$/)
    expect(rest).toEqual({ id: '31', kind: 'message', link: '/chats/7', tag: 'chat-7' })
  })

  test('a long title keeps what a short body leaves, and a quarter beside a long one', () => {
    const beside = sent({ title: 'T'.repeat(9_000), body: 'short' })
    expect(beside.body).toBe('short')
    expect(beside.title.length).toBeGreaterThan(2_500)
    const both = sent({ title: 'T'.repeat(9_000), body: 'b'.repeat(9_000) })
    expect(both.title.length).toBeGreaterThan(700)
    expect(both.body.length).toBeGreaterThan(2_000)
  })

  test('a message that is too long loses its pictures before its text', () => {
    const images = Array.from({ length: 3 }, () => `/media/1/preview?${'e'.repeat(300)}`)
    expect(sent({ images })).toMatchObject({ images })
    const body = 'b'.repeat(2_500)
    expect(sent({ images, body })).toMatchObject({ body })
    expect(sent({ images, body })).not.toHaveProperty('images')
  })

  test('a link is sent whole or not at all, and an ID that leaves no room is no push', () => {
    expect(sent({ link: `/${'l'.repeat(2_000)}`, body: 'b'.repeat(3_000) }).link).toHaveLength(2_001)
    expect(sent({ link: `/${'l'.repeat(4_000)}` })).toEqual(pushMessage({ link: '' }))
    expect(sent({ id: 'i'.repeat(4_000) })).toBeNull()
  })
})

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\ud83d',
      '\ude00',
      '\0',
      '\u001b',
      '"',
      '\\',
      ' ',
      '👨‍👩‍👧‍👦',
      'é',
      'ก็',
      'שלום',
      '한',
      '🇩🇪',
      '\u0301',
    ),
  )
  const anyText = fc
    .tuple(fc.array(piece, { minLength: 1 }), fc.nat(3_000))
    .map(([pieces, length]) => pieces.join('').repeat(length).slice(0, length))

  test('a message stays under 3 KB, valid, and is cut only between graphemes', () => {
    let cuts = 0
    const expectWholeOrCut = (whole: string, part: string) => {
      if (part === whole) return
      cuts += 1
      const kept = part.slice(0, -1)
      const next = new Intl.Segmenter('und').segment(whole).containing(kept.length)
      const cutAt = whole.slice(kept.length).search(/\S|$/) + kept.length
      expect(part).toBe(`${kept}…`)
      expect(whole.startsWith(kept)).toBe(true)
      // Spaces before the ellipsis are removed, so the boundary is after them.
      expect([next?.index, new Intl.Segmenter('und').segment(whole).containing(cutAt)?.index]).toSatisfy(
        ([behind, spaces]) => behind === kept.length || spaces === cutAt,
      )
    }
    fc.assert(
      fc.property(anyText, anyText, (title, body) => {
        const text = fit(pushMessage({ title, body }), webForm) ?? ''
        expect(Buffer.byteLength(text)).toBeLessThan(3 * 1024)
        expect(text.isWellFormed()).toBe(true)
        const message = JSON.parse(text)
        expectWholeOrCut(title.toWellFormed(), message.title)
        expectWholeOrCut(body.toWellFormed(), message.body)
      }),
      { numRuns: 200 },
    )
    expect(cuts).toBeGreaterThan(50)
  })

  test('a text is measured as JSON measures it', () => {
    fc.assert(
      fc.property(anyText, text => {
        const sound = text.toWellFormed()
        expect(jsonBytes(sound)).toBe(Buffer.byteLength(JSON.stringify(sound)) - 2)
      }),
      { numRuns: 150 },
    )
  })

  test('a grapheme longer than the room leaves only the ellipsis', () => {
    expect(sent({ body: `z${'\u0301'.repeat(1_000_000)}` }).body).toBe('…')
  })

  test('a shortened text fills its room', () => {
    const long = fit(pushMessage({ body: 'b'.repeat(10_000) }), webForm) ?? ''
    expect(Buffer.byteLength(long)).toBe(wireBytesMax)
    expect(shorten('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 40)).toBe('👨‍👩‍👧‍👦…')
    expect(shorten('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 20)).toBe('…')
    expect(shorten('long', 2)).toBe('')
  })
})
