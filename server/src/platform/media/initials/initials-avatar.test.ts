import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { initialsAvatar, initialsOf } from './initials-avatar.ts'

const letters = (name: string) => /<text[^>]*>(.*)<\/text>/.exec(initialsAvatar(name, '1'))?.[1]

describe('the picture of someone without one', () => {
  it.each([
    ['Olivia Marie Stone', 'OS'],
    ['olivia', 'O'],
    ['élodie d’Arc', 'ÉD'],
    ['Ольга Иванова', 'ОИ'],
    ['王 小明', '王小'],
    ['नीता शर्मा', 'नीश'],
    ['محمد علي', 'م\u200cع'],
    ['🦩🎉 ❤️‍🔥', '🦩'],
    ['👩‍👩‍👧 Family', '👩‍👩‍👧F'],
    ['"Bob" (Smith)', 'BS'],
    ['\u202eevil \ud800lone', 'EL'],
    ['   ', ''],
    ['', ''],
  ])('the avatar of %j shows %j', (name, initials) => {
    expect(letters(name)).toBe(initials)
  })

  it('an initial is the first grapheme, on the fast path and by segmentation', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
    const nexts = [
      '',
      'x',
      ' ',
      '-',
      '’',
      'ß',
      'ж',
      'ي',
      '王',
      '\u0301',
      '\u0483',
      '\u064b',
      '\u200d',
      '\u3099',
      '\uff9e',
    ]
    for (let code = 0x41; code < 0xa000; code += code < 0x3400 ? 1 : 97) {
      const letter = String.fromCharCode(code)
      if (!/\p{L}/u.test(letter)) continue
      for (const next of nexts) {
        const [first] = graphemes.segment(letter + next)
        if (initialsOf(letter + next)[0] !== first?.segment.trim().toLocaleUpperCase('und'))
          expect([letter, next]).toEqual([])
      }
    }
  })

  it('a name cannot inject markup', () => {
    const svg = initialsAvatar('<script>alert(1)</script> "><svg/onload=1> & \'', '<&">')
    expect(svg.match(/<[a-z/]+/g)).toEqual(['<svg', '<rect', '<text', '</text', '</svg'])
  })

  it('an avatar stays small under a heap of marks', () => {
    expect(initialsAvatar(`z${'\u0301'.repeat(100_000)} a`, '1').length).toBeLessThan(500)
  })

  it('an avatar is the same for the same person, and the seed sets its colour', async () => {
    expect(initialsAvatar('A B', '7')).toBe(initialsAvatar('A B', '7'))
    const colours = new Set(Array.from({ length: 50 }, (_, seed) => initialsAvatar('A B', String(seed))))
    expect(colours.size).toBeGreaterThan(6)
    expect(await sharp(Buffer.from(initialsAvatar('A B', '7'))).metadata()).toMatchObject({ width: 512, height: 512 })
  })
})
